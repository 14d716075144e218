; One-as: a flag in global memory, and data there that one side reads by a flat address
; REF: LLVM AMDGPUUsage, AMDHSA LLVM Sync Scopes, agent-one-as; "generic that accesses private" (agent)
; A flat access is one of the address space of the memory: clang leaves a pointer that was loaded as flat.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent-one-as") release, align 4
  ret void
}

define void @t1() {
  %flat.data = addrspacecast ptr addrspace(1) @data to ptr
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent-one-as") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr %flat.data
  br label %done

done:
  ret void
}
