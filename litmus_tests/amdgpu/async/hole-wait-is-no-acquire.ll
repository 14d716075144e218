; Hole: the wait is not said to be an acquire; as written, what was stored to global memory is not visible behind it
; REF: LLVM, AMDGPUAsyncOperations.md
; SCOPES: (agent (workgroup t0))
; PROFILE: amdgpu
; EXISTS: t0:%v = undef
; EXPECT: amdgpu-2026=Never
; EXPECT: amdgpu-2026/as-written=Always+race
@o = addrspace(1) global i32 0
@l = addrspace(3) global i32 7
define void @t0() {
  call void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1) @o, ptr addrspace(3) @l, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  %v = load i32, ptr addrspace(1) @o
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
