; Sixteen bytes are copied, and read by words
; REF: LLVM, AMDGPUAsyncOperations.md
; SCOPES: (agent (workgroup t0))
; PROFILE: amdgpu
; EXISTS: ~(t0:%v = 3)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
@g = addrspace(1) global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@l = addrspace(3) global [4 x i32] zeroinitializer
define void @t0() {
  call void @llvm.amdgcn.global.load.async.to.lds.b128(ptr addrspace(1) @g, ptr addrspace(3) @l, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  %p = getelementptr i32, ptr addrspace(3) @l, i32 2
  %v = load i32, ptr addrspace(3) %p
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.load.async.to.lds.b128(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
