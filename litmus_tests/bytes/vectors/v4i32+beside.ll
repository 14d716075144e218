; A store of <4 x i32> covers 16 bytes
; REF: LLVM LangRef, Vector Type
; The neighbour of v3i32+beside.
; FORALL: @v[2] = 3 /\ @v[3] = undef
; EXPECT: llvm=Always+race amdgpu=Always+race

@v = global [4 x i32] zeroinitializer

define void @t0() {
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr @v, align 16
  ret void
}

define void @t1() {
  %p = getelementptr i32, ptr @v, i64 3
  store i32 9, ptr %p
  ret void
}
