; Private memory: accesses may carry !thread.private
; REF: LLVM AMDGPUUsage, Address Spaces
; REF: the semantics, section 5, Thread-private accesses
; The claim holds: no flag. The value survives the hand-over around it.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%kept = 9 /\ t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %slot = alloca i32, addrspace(5)
  store i32 9, ptr addrspace(5) %slot, !thread.private !{}
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  %kept = load i32, ptr addrspace(5) %slot, !thread.private !{}
  br label %done

done:
  ret void
}
