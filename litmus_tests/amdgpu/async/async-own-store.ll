; A copy sees what its thread stored before: program order reaches the operation
; REF: LLVM, AMDGPUAsyncOperations.md
; REF: the semantics, section 10, Asynchronous operations ("po reaches from before I to A")
; Nothing makes the store available or visible. Where an operation belongs to its cluster only, or where program order is as written,
; it returns undef.
; SCOPES: (agent (workgroup t0))
; EXISTS: t0:%v = undef
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
; EXPECT: amdgpu-2026/dma-cluster=Always+race
@g = addrspace(1) global i32 7
@l = addrspace(3) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @g
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @g, ptr addrspace(3) @l, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  %v = load i32, ptr addrspace(3) @l
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
