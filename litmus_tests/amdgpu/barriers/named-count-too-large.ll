; A wait that never completes: one wave too few
; REF: LLVM, AMDGPUExecutionSynchronization.md
; SCOPES: (agent (workgroup t0))
; PROFILE: amdgpu
; EXISTS: true
; EXPECT: llvm=Never+ub+ub-barrier
@b = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison
@l = addrspace(3) global i32 0
define void @t0() {
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @b, i32 2)
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @b)
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @b, i32 0)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  ret void
}
declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(3))
declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
