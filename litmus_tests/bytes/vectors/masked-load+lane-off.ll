; A masked load takes the lanes that are off from its last operand, and does not race there
; REF: LLVM LangRef, Masked Vector Load and Store Intrinsics
; FORALL: t0:%v = <0, 7, 0, 7>
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@v = global [4 x i32] zeroinitializer

define void @t0() {
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr @v, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 0>, <4 x i32> splat (i32 7))
  ret void
}

define void @t1() {
  %p = getelementptr i32, ptr @v, i64 3
  store i32 9, ptr %p
  ret void
}

declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
