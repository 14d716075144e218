; A store of <3 x i32> covers 12 bytes: the next word belongs to who wants it
; REF: LLVM LangRef, Vector Type
; REF: LLVM LangRef, store instruction
; A value of the type takes 16 bytes in an array.
; FORALL: @v[2] = 3 /\ @v[3] = 9
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@v = global [4 x i32] zeroinitializer

define void @t0() {
  store <3 x i32> <i32 1, i32 2, i32 3>, ptr @v, align 16
  ret void
}

define void @t1() {
  %p = getelementptr i32, ptr @v, i64 3
  store i32 9, ptr %p
  ret void
}
