; Document, "Function Calls": inlined, the wait sees the marks of what was the caller
; REF: LLVM, AMDGPUAsyncOperations.md
; SCOPES: (agent (workgroup t0))
; PROFILE: amdgpu
; EXISTS: ~(t0:%v = 7)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
@g = addrspace(1) global i32 7
@l = addrspace(3) global i32 0
define void @t0() {
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @g, ptr addrspace(3) @l, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  %v = load i32, ptr addrspace(3) @l
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
