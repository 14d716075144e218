; Hole: with operations of the cluster (drafts, gfx1250), a copy does not see what the copy before it has written
; REF: LLVM, AMDGPUAsyncOperations.md
; LDS is available and visible at workgroup scope, and neither copy belongs to a workgroup, not even to one of their own.
; SCOPES: (agent (workgroup t0))
; EXISTS: @h = undef
; EXPECT: amdgpu-2026=Never
; EXPECT: amdgpu-2026/dma-cluster=Always+race
@g = addrspace(1) global i32 7
@l = addrspace(3) global i32 0
@h = addrspace(1) global i32 0
define void @t0() {
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @g, ptr addrspace(3) @l, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  call void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1) @h, ptr addrspace(3) @l, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
