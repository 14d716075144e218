; The new expected count is no more than what has arrived
; REF: LLVM, AMDGPUExecutionSynchronization.md
; SCOPES: (agent (workgroup t0))
; PROFILE: amdgpu
; EXISTS: true
; EXPECT: llvm=Never+ub+ub-barrier
@b = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison
@l = addrspace(3) global i32 0
define void @t0() {
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @b, i32 3)
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @b, i32 0)
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @b, i32 1)
  ret void
}
declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3), i32)
