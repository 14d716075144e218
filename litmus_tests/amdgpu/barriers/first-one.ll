; Of two arrivals one is told that it is the first
; REF: LLVM, AMDGPUExecutionSynchronization.md
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
; EXISTS: t0:%f = t1:%f
; EXPECT: llvm=Never
define void @t0() {
  %f = call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
define void @t1() {
  %f = call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
declare i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
