; Hole: with operations of the cluster (drafts, gfx1250), a copy does not see what its thread has stored to LDS
; REF: LLVM, AMDGPUAsyncOperations.md
; SCOPES: (agent (workgroup t0))
; EXISTS: t0:%v = undef
; EXPECT: amdgpu-2026=Never
; EXPECT: amdgpu-2026/dma-cluster=Always+race
@l = addrspace(3) global i32 0
@h = addrspace(1) global i32 0
define void @t0() {
  store i32 7, ptr addrspace(3) @l
  call void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1) @h, ptr addrspace(3) @l, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  %v = load i32, ptr addrspace(1) @h
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
