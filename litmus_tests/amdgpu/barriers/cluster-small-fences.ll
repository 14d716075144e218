; The barrier of a cluster, with fences of the workgroup
; REF: LLVM, AMDGPUExecutionSynchronization.md
; SCOPES: (agent (cluster (workgroup t0) (workgroup t1)))
; PROFILE: amdgpu
; EXISTS: t1:%v = undef
; EXPECT: llvm=Always+race
@g = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @g
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.cluster.barrier()
  ret void
}
define void @t1() {
  call void @llvm.amdgcn.s.cluster.barrier()
  fence syncscope("workgroup") acquire
  %v = load i32, ptr addrspace(1) @g
  ret void
}
declare void @llvm.amdgcn.s.cluster.barrier()
