; The barrier of a cluster: one wave of each workgroup arrives, all wait
; REF: LLVM, AMDGPUExecutionSynchronization.md
; SCOPES: (agent (cluster (workgroup t0) (workgroup t1)))
; PROFILE: amdgpu
; EXISTS: ~(t1:%v = 1)
; EXPECT: llvm=Never
; EXPECT: amdgpu-2026=Never
@g = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @g
  fence syncscope("cluster") release
  call void @llvm.amdgcn.s.cluster.barrier()
  ret void
}
define void @t1() {
  call void @llvm.amdgcn.s.cluster.barrier()
  fence syncscope("cluster") acquire
  %v = load i32, ptr addrspace(1) @g
  ret void
}
declare void @llvm.amdgcn.s.cluster.barrier()
