; Ids: work-items of a workgroup are numbered from 0
; REF: LLVM AMDGPUUsage, llvm.amdgcn.workitem.id.x and llvm.amdgcn.workgroup.id.x
; In the order of the scope tree, wavefront by wavefront.
; THREADS: a=@kernel() b=@kernel()
; SCOPES: (agent (workgroup (wavefront a) (wavefront b)))
; EXISTS: ~(a:%id = 0 /\ b:%id = 1 /\ a:%group = 0 /\ b:%group = 0)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never


define void @kernel() {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
