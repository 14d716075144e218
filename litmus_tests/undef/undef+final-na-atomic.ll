; A plain store that races with an atomic store leaves undef in memory
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Chakraborty, Vafeiadis: Formalizing the concurrency semantics of an LLVM fragment, CGO 2017
; EXISTS: @x = undef
; EXPECT: llvm=Always+race
; EXPECT: rc11=Never+race

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4
  ret void
}

define void @t1() {
  store i32 2, ptr @x
  ret void
}
