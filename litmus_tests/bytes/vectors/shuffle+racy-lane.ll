; A shuffle that leaves the racy lane out leaves the race's value out
; REF: LLVM LangRef, shufflevector instruction
; REF: LLVM LangRef, Undefined Values
; FORALL: t1:%kept = <5, 5> /\ t1:%lost = <5, undef>
; EXPECT: llvm=Always+race amdgpu=Always+race

@v = global <2 x i32> <i32 5, i32 6>

define void @t0() {
  %p = getelementptr i32, ptr @v, i64 1
  store i32 8, ptr %p
  ret void
}

define void @t1() {
  %v = load <2 x i32>, ptr @v
  %kept = shufflevector <2 x i32> %v, <2 x i32> poison, <2 x i32> zeroinitializer
  %lost = shufflevector <2 x i32> %v, <2 x i32> poison, <2 x i32> <i32 0, i32 1>
  ret void
}
