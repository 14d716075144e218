; A plain load returns undef if it races with an unordered store
; REF: LLVM LangRef, Atomic Memory Ordering Constraints (unordered)
; REF: Chakraborty, Vafeiadis: Formalizing the concurrency semantics of an LLVM fragment, CGO 2017
; EXISTS: t1:%r = undef
; EXPECT: llvm=Always+race
; EXPECT: rc11=Never+race

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x unordered, align 4
  ret void
}

define void @t1() {
  %r = load i32, ptr @x
  ret void
}
