; Ids: a barrier that only workgroup 0 executes
; REF: LLVM AMDGPUUsage, llvm.amdgcn.workitem.id.x and llvm.amdgcn.workgroup.id.x
; A condition on the workgroup is uniform: each workgroup decides for itself.
; THREADS: a=@kernel() b=@kernel() c=@kernel() d=@kernel()
; SCOPES: (agent (workgroup a b) (workgroup c d))
; EXISTS: ~(a:%got = 2 /\ b:%got = 1)
; EXPECT: llvm=Never amdgpu=Never

@slots = addrspace(1) global [2 x i32] zeroinitializer

define void @kernel() {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %set = icmp eq i32 %group, 0
  br i1 %set, label %enter, label %done

enter:
  %other = xor i32 %id, 1
  %mine = getelementptr [2 x i32], ptr addrspace(1) @slots, i32 0, i32 %id
  %theirs = getelementptr [2 x i32], ptr addrspace(1) @slots, i32 0, i32 %other
  %value = add i32 %id, 1
  store i32 %value, ptr addrspace(1) %mine
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %got = load i32, ptr addrspace(1) %theirs
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
