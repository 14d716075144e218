; A tensor comes to LDS as a whole: without a wait the read races with it
; REF: LLVM, AMDGPUAsyncOperations.md; AMDGPUDMAOperations.md
; SCOPES: (agent (workgroup t0))
; PROFILE: amdgpu
; EXISTS: t0:%v = undef
; EXPECT: llvm=Always+race
; EXPECT: amdgpu-2026=Always+race
@x = addrspace(1) global [2 x i32] [i32 1, i32 2]
@l = addrspace(3) global [2 x i32] undef
define void @t0() {
  %a = ptrtoint ptr addrspace(3) @l to i32
  %g = ptrtoint ptr addrspace(1) @x to i64
  %lo = trunc i64 %g to i32
  %h = lshr i64 %g, 32
  %hi = trunc i64 %h to i32
  %hm = or i32 %hi, -2147483648
  %d0 = insertelement <4 x i32> <i32 1, i32 0, i32 0, i32 0>, i32 %a, i32 1
  %d1 = insertelement <4 x i32> %d0, i32 %lo, i32 2
  %d2 = insertelement <4 x i32> %d1, i32 %hm, i32 3
  call void @llvm.amdgcn.tensor.load.to.lds.d2(<4 x i32> %d2, <8 x i32> zeroinitializer, i32 0)
  call void @llvm.amdgcn.asyncmark()
  %p = getelementptr i32, ptr addrspace(3) @l, i32 1
  %v = load i32, ptr addrspace(3) %p
  ret void
}
declare void @llvm.amdgcn.tensor.load.to.lds.d2(<4 x i32>, <8 x i32>, i32)
declare void @llvm.amdgcn.asyncmark()
