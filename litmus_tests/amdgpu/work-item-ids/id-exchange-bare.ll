; Ids: two work-items exchange values through local memory, with a bare barrier
; REF: LLVM AMDGPUUsage, llvm.amdgcn.workitem.id.x and llvm.amdgcn.workgroup.id.x
; One notch below id-exchange.
; THREADS: a=@kernel() b=@kernel()
; SCOPES: (agent (workgroup (wavefront a) (wavefront b)))
; EXISTS: a:%got = undef /\ b:%got = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@slots = addrspace(3) global [2 x i32] zeroinitializer

define void @kernel() {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %other = xor i32 %id, 1
  %mine = getelementptr [2 x i32], ptr addrspace(3) @slots, i32 0, i32 %id
  %theirs = getelementptr [2 x i32], ptr addrspace(3) @slots, i32 0, i32 %other
  %value = add i32 %id, 1
  store i32 %value, ptr addrspace(3) %mine
  call void @llvm.amdgcn.s.barrier()
  %got = load i32, ptr addrspace(3) %theirs
  ret void
}

declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()
