; Ids: two work-items exchange values through local memory
; REF: LLVM AMDGPUUsage, llvm.amdgcn.workitem.id.x and llvm.amdgcn.workgroup.id.x
; REF: MLIR amdgpu.lds_barrier lowering; https://github.com/llvm/llvm-project/pull/157919
; amdgpu.lds_barrier between the stores and the loads.
; THREADS: a=@kernel() b=@kernel()
; SCOPES: (agent (workgroup (wavefront a) (wavefront b)))
; PROFILE: amdgpu
; EXISTS: ~(a:%got = 2 /\ b:%got = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@slots = addrspace(3) global [2 x i32] zeroinitializer

define void @kernel() {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %other = xor i32 %id, 1
  %mine = getelementptr [2 x i32], ptr addrspace(3) @slots, i32 0, i32 %id
  %theirs = getelementptr [2 x i32], ptr addrspace(3) @slots, i32 0, i32 %other
  %value = add i32 %id, 1
  store i32 %value, ptr addrspace(3) %mine
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  %got = load i32, ptr addrspace(3) %theirs
  ret void
}

declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()
