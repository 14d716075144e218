; A copy of another thread: wait, release, barrier, acquire
; REF: LLVM, AMDGPUAsyncOperations.md
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
; EXISTS: ~(t1:%v = 7)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
; EXPECT: llvm/direct=Never amdgpu/direct=Never amdgpu-2026/direct=Never
@g = addrspace(1) global i32 7
@l = addrspace(3) global i32 0
define void @t0() {
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @g, ptr addrspace(3) @l, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  ret void
}
define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %v = load i32, ptr addrspace(3) @l
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.wait.asyncmark(i16)
