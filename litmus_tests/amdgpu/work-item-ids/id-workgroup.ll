; Ids: workgroups are numbered from 0, and their work-items each from 0 again
; REF: LLVM AMDGPUUsage, llvm.amdgcn.workitem.id.x and llvm.amdgcn.workgroup.id.x
; Two workgroups of one work-item each.
; THREADS: a=@kernel() b=@kernel()
; SCOPES: (agent (workgroup a) (workgroup b))
; EXISTS: ~(a:%id = 0 /\ b:%id = 0 /\ a:%group = 0 /\ b:%group = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never


define void @kernel() {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
