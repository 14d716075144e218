; Ids: every work-item adds its global number, atomically in its workgroup only
; REF: LLVM AMDGPUUsage, llvm.amdgcn.workitem.id.x and llvm.amdgcn.workgroup.id.x
; The updates of two workgroups race: the sum is undef.
; THREADS: a=@kernel() b=@kernel() c=@kernel() d=@kernel()
; SCOPES: (agent (workgroup a b) (workgroup c d))
; EXISTS: @sum = undef
; EXPECT: llvm=Always+race amdgpu=Always+race

@sum = addrspace(1) global i32 0

define void @kernel() {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = shl i32 %group, 1
  %number = add i32 %first, %id
  %old = atomicrmw add ptr addrspace(1) @sum, i32 %number syncscope("workgroup") monotonic, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
