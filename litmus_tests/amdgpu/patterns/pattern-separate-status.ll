; Look-back: status apart from the value
; REF: Merrill, Garland: Single-pass parallel prefix scan with decoupled look-back, NVIDIA 2016
; The value is plain, and the status monotonic: nothing orders them.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%status = 1 /\ t1:%value = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race

@value = addrspace(1) global i32 0
@status = addrspace(1) global i32 0

define void @t0() {
  store i32 7, ptr addrspace(1) @value
  store atomic i32 1, ptr addrspace(1) @status syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %status = load atomic i32, ptr addrspace(1) @status syncscope("agent") monotonic, align 4
  %set = icmp eq i32 %status, 1
  br i1 %set, label %read, label %done

read:
  %value = load i32, ptr addrspace(1) @value
  br label %done

done:
  ret void
}
