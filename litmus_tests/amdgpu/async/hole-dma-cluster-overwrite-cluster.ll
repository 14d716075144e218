; Hole: with operations of the cluster (drafts, gfx1250), a release of the cluster does put a store before a copy over it
; REF: LLVM, AMDGPUAsyncOperations.md
; As hole-dma-cluster-overwrite, with the smallest scope that includes the operation.
; SCOPES: (agent (workgroup t0))
; EXISTS: @l = undef
; EXPECT: amdgpu-2026=Never amdgpu-2026/dma-cluster=Never
@g = addrspace(1) global i32 7
@l = addrspace(3) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(3) @l
  fence syncscope("cluster") release
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @g, ptr addrspace(3) @l, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
