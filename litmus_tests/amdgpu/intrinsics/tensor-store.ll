; A tensor goes from LDS to global memory, in the long form, and another wave reads it behind a release
; REF: LLVM, AMDGPUAsyncOperations.md; AMDGPUDMAOperations.md
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; EXISTS: t1:%f = 1 /\ ~(t1:%v = 7)
; EXPECT: llvm=Never
; EXPECT: amdgpu-2026=Never
@x = addrspace(1) global [2 x i32] zeroinitializer
@f = addrspace(1) global i32 0
@l = addrspace(3) global [2 x i32] undef
define void @t0() {
  store [2 x i32] [i32 7, i32 7], ptr addrspace(3) @l
  %g = ptrtoint ptr addrspace(1) @x to i64
  %both = bitcast i64 %g to <2 x i32>
  %d0 = insertelement <4 x i32> <i32 1, i32 0, i32 0, i32 0>, i32 ptrtoint (ptr addrspace(3) @l to i32), i32 1
  %d1 = shufflevector <2 x i32> %both, <2 x i32> poison, <4 x i32> <i32 poison, i32 poison, i32 0, i32 1>
  %d2 = shufflevector <4 x i32> %d0, <4 x i32> %d1, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  call void @llvm.amdgcn.tensor.store.from.lds(<4 x i32> %d2, <8 x i32> zeroinitializer, <4 x i32> zeroinitializer, <4 x i32> zeroinitializer, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  store atomic i32 1, ptr addrspace(1) @f syncscope("agent") release, align 4
  ret void
}
define void @t1() {
  %f = load atomic i32, ptr addrspace(1) @f syncscope("agent") acquire, align 4
  %c = icmp eq i32 %f, 1
  br i1 %c, label %b, label %e
b:
  %v = load i32, ptr addrspace(1) @x
  br label %e
e:
  ret void
}
declare void @llvm.amdgcn.tensor.store.from.lds(<4 x i32>, <8 x i32>, <4 x i32>, <4 x i32>, i32)
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.wait.asyncmark(i16)
