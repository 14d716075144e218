; A masked load races in the lanes that are on
; REF: LLVM LangRef, Masked Vector Load and Store Intrinsics
; The neighbour of masked-load+lane-off.
; FORALL: t0:%v = <0, 7, 0, undef>
; EXPECT: llvm=Always+race amdgpu=Always+race

@v = global [4 x i32] zeroinitializer

define void @t0() {
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr @v, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 1>, <4 x i32> splat (i32 7))
  ret void
}

define void @t1() {
  %p = getelementptr i32, ptr @v, i64 3
  store i32 9, ptr %p
  ret void
}

declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
