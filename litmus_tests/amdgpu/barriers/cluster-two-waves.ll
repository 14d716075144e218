; Both waves of a workgroup arrive at the barrier of the cluster: one is too many
; REF: LLVM, AMDGPUExecutionSynchronization.md
; SCOPES: (agent (cluster (workgroup t0)))
; PROFILE: amdgpu
; EXISTS: true
; EXPECT: llvm=Always
define void @t0() {
  call void @llvm.amdgcn.s.barrier.signal(i32 -3)
  call void @llvm.amdgcn.s.barrier.signal(i32 -3)
  call void @llvm.amdgcn.s.barrier.wait(i16 -3)
  ret void
}
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
