; A store of a struct writes its padding: a byte of another thread there is lost
; REF: LLVM LangRef, store instruction
; REF: LLVM LangRef, Structure Type
; The next thread's byte lies in the padding.
; FORALL: @s[0] = 1 /\ @s[1] = undef
; EXPECT: llvm=Always+race amdgpu=Always+race

%padded = type { i8, i32 }
@s = global [8 x i8] c"\07\07\07\07\07\07\07\07"

define void @t0() {
  store %padded { i8 1, i32 2 }, ptr @s
  ret void
}

define void @t1() {
  %p1 = getelementptr i8, ptr @s, i64 1
  store i8 3, ptr %p1
  ret void
}
