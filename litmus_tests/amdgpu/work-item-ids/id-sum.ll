; Ids: every work-item adds its global number
; REF: LLVM AMDGPUUsage, llvm.amdgcn.workitem.id.x and llvm.amdgcn.workgroup.id.x
; Two workgroups of two: 0 + 1 + 2 + 3, without a lost update.
; THREADS: a=@kernel() b=@kernel() c=@kernel() d=@kernel()
; SCOPES: (agent (workgroup a b) (workgroup c d))
; EXISTS: ~(@sum = 6)
; EXPECT: llvm=Never amdgpu=Never

@sum = addrspace(1) global i32 0

define void @kernel() {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = shl i32 %group, 1
  %number = add i32 %first, %id
  %old = atomicrmw add ptr addrspace(1) @sum, i32 %number syncscope("agent") monotonic, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
