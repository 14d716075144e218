; A plain load returns undef if it races with a seq_cst store
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Chakraborty, Vafeiadis: Formalizing the concurrency semantics of an LLVM fragment, CGO 2017
; Both sides must be atomic.
; EXISTS: t1:%r = undef
; EXPECT: llvm=Always+race
; EXPECT: rc11=Never+race

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4
  ret void
}

define void @t1() {
  %r = load i32, ptr @x
  ret void
}
