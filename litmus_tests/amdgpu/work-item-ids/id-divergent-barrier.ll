; Ids: a barrier that only work-item 0 executes
; REF: LLVM AMDGPUUsage, llvm.amdgcn.workitem.id.x and llvm.amdgcn.workgroup.id.x
; The other one of its workgroup never arrives: undefined.
; THREADS: a=@kernel() b=@kernel()
; SCOPES: (agent (workgroup (wavefront a) (wavefront b)))
; EXISTS: true
; EXPECT: llvm=Never+ub+ub-barrier amdgpu=Never+ub+ub-barrier amdgpu-2026=Never+ub+ub-barrier


define void @kernel() {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %set = icmp eq i32 %id, 0
  br i1 %set, label %enter, label %done

enter:
  call void @llvm.amdgcn.s.barrier()
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()
