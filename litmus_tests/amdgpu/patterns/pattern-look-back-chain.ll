; Look-back: a running sum handed on from workgroup to workgroup
; REF: Merrill, Garland: Single-pass parallel prefix scan with decoupled look-back, NVIDIA 2016
; Each one waits for its predecessor and publishes its own sum.
; SCOPES: (agent (workgroup t0) (workgroup t1) (workgroup t2))
; EXISTS: t2:%second = 1 /\ ~(t2:%total = 3)
; EXPECT: llvm=Never amdgpu=Never

@sum0 = addrspace(1) global i32 0
@sum1 = addrspace(1) global i32 0
@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @sum0
  store atomic i32 1, ptr addrspace(1) @first syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr addrspace(1) @first syncscope("agent") acquire, align 4
  %set = icmp eq i32 %first, 1
  br i1 %set, label %pass, label %done

pass:
  %sum = load i32, ptr addrspace(1) @sum0
  %next = add i32 %sum, 2
  store i32 %next, ptr addrspace(1) @sum1
  store atomic i32 1, ptr addrspace(1) @second syncscope("agent") release, align 4
  br label %done

done:
  ret void
}

define void @t2() {
  %second = load atomic i32, ptr addrspace(1) @second syncscope("agent") acquire, align 4
  %set = icmp eq i32 %second, 1
  br i1 %set, label %read, label %done

read:
  %total = load i32, ptr addrspace(1) @sum1
  br label %done

done:
  ret void
}
