; Document, "Interleaved stages": one mark in two sequences is removed from each alone
; REF: LLVM, AMDGPUAsyncOperations.md
; SCOPES: (agent (workgroup t0))
; PROFILE: amdgpu
; EXISTS: ~(t0:%a = 7 /\ t0:%b = 5)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
@g = addrspace(1) global i32 7
@l = addrspace(3) global i32 0
@o = addrspace(1) global i32 0
@m = addrspace(3) global i32 5
define void @t0() {
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @g, ptr addrspace(3) @l, i32 0, i32 0)
  call void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1) @o, ptr addrspace(3) @m, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark(i32 2037)
  call void @llvm.amdgcn.wait.asyncmark(i16 0, i32 2045)
  %a = load i32, ptr addrspace(3) @l
  call void @llvm.amdgcn.wait.asyncmark(i16 0, i32 2039)
  %b = load i32, ptr addrspace(1) @o
  ret void
}
declare void @llvm.amdgcn.asyncmark(i32)
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16, i32)
