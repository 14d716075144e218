; A producer that publishes two items
; REF: AMDGPU Memory Model, Scopes
; REF: LLVM AMDGPUUsage, Memory Model gfx942
; The second flag value covers both.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 2 /\ ~(t1:%first = 1 /\ t1:%second = 2)
; EXPECT: llvm=Never amdgpu=Never

@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @first
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  store i32 2, ptr addrspace(1) @second
  store atomic i32 2, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 2
  br i1 %set, label %read, label %done

read:
  %first = load i32, ptr addrspace(1) @first
  %second = load i32, ptr addrspace(1) @second
  br label %done

done:
  ret void
}
