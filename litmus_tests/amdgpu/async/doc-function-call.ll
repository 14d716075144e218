; Document, "Ordinary function call": a mark stands behind what a callee has started, too
; REF: LLVM, AMDGPUAsyncOperations.md
; SCOPES: (agent (workgroup t0))
; PROFILE: amdgpu
; EXISTS: ~(t0:%a = 7 /\ t0:%b = 7)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
@g = addrspace(1) global i32 7
@l0 = addrspace(3) global i32 0
@l1 = addrspace(3) global i32 0
@l2 = addrspace(3) global i32 0
define internal void @bar() {
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @g, ptr addrspace(3) @l2, i32 0, i32 0)
  ret void
}
define void @t0() {
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @g, ptr addrspace(3) @l0, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @g, ptr addrspace(3) @l1, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @bar()
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 1)
  %a = load i32, ptr addrspace(3) @l1
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  %b = load i32, ptr addrspace(3) @l2
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
