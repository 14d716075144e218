; LDS is written again while the copy from it is in flight
; REF: LLVM, AMDGPUAsyncOperations.md
; SCOPES: (agent (workgroup t0))
; PROFILE: amdgpu
; EXISTS: t0:%v = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race
@o = addrspace(1) global i32 0
@l = addrspace(3) global i32 7
define void @t0() {
  call void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1) @o, ptr addrspace(3) @l, i32 0, i32 0)
  store i32 1, ptr addrspace(3) @l
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  %v = load i32, ptr addrspace(1) @o
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
