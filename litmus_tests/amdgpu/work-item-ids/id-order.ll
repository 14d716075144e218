; Ids: the scope tree counts, not the order of the threads
; REF: LLVM AMDGPUUsage, llvm.amdgcn.workitem.id.x and llvm.amdgcn.workgroup.id.x
; The second thread stands first in the tree.
; THREADS: a=@kernel() b=@kernel()
; SCOPES: (agent (workgroup b a))
; EXISTS: ~(a:%id = 1 /\ b:%id = 0)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never


define void @kernel() {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
