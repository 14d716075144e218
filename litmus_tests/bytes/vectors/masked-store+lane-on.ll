; A masked store races in the lanes that are on
; REF: LLVM LangRef, Masked Vector Load and Store Intrinsics
; The neighbour of masked-store+lane-off.
; FORALL: @v[0] = 1 /\ @v[3] = undef
; EXPECT: llvm=Always+race amdgpu=Always+race

@v = global [4 x i32] zeroinitializer

define void @t0() {
  call void @llvm.masked.store.v4i32.p0(<4 x i32> splat (i32 1), ptr @v, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 1>)
  ret void
}

define void @t1() {
  %p = getelementptr i32, ptr @v, i64 3
  store i32 9, ptr %p
  ret void
}

declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
