; Even a seq_cst load returns undef if it races with a plain store
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Chakraborty, Vafeiadis: Formalizing the concurrency semantics of an LLVM fragment, CGO 2017
; Both sides must be atomic.
; EXISTS: t1:%r = undef
; EXPECT: llvm=Always+race
; EXPECT: rc11=Never+race

@x = global i32 0

define void @t0() {
  store i32 1, ptr @x
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
