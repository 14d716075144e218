; A byte that is written after the word stays
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; FORALL: @x = 258
; EXPECT: llvm=Always+mixed-atomics amdgpu=Always+mixed-atomics
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x monotonic, align 2
  store atomic i8 2, ptr @x monotonic, align 1
  ret void
}

define void @t1() {
  %word = load atomic i16, ptr @x monotonic, align 2
  ret void
}
