; A masked store does not touch the lanes that are off: another thread may write one
; REF: LLVM LangRef, Masked Vector Load and Store Intrinsics
; Nothing is loaded and stored back.
; FORALL: @v[0] = 1 /\ @v[3] = 9
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@v = global [4 x i32] zeroinitializer

define void @t0() {
  call void @llvm.masked.store.v4i32.p0(<4 x i32> splat (i32 1), ptr @v, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 0>)
  ret void
}

define void @t1() {
  %p = getelementptr i32, ptr @v, i64 3
  store i32 9, ptr %p
  ret void
}

declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
