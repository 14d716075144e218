; One-as: a flag that is stored as global and loaded by a flat address
; REF: LLVM AMDGPUUsage, AMDHSA LLVM Sync Scopes, agent-one-as
; REF: the semantics, section 1 (no sw edges to accesses of other address spaces: a flat one is of that of the memory)
; The flag is in global memory, whichever address says so.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent-one-as") release, align 4
  ret void
}

define void @t1() {
  %flat.flag = addrspacecast ptr addrspace(1) @flag to ptr
  %flat.data = addrspacecast ptr addrspace(1) @data to ptr
  %flag = load atomic i32, ptr %flat.flag syncscope("agent-one-as") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr %flat.data
  br label %done

done:
  ret void
}
