; A load of <3 x i32> does not race with a store to the next word
; REF: LLVM LangRef, Vector Type
; The other side of v3i32+beside.
; FORALL: t0:%v = <0, 0, 0>
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@v = global [4 x i32] zeroinitializer

define void @t0() {
  %v = load <3 x i32>, ptr @v, align 16
  ret void
}

define void @t1() {
  %p = getelementptr i32, ptr @v, i64 3
  store i32 9, ptr %p
  ret void
}
