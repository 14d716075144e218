; A race in LLVM is no undefined behaviour: code that does not use the value is not affected
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Chakraborty, Vafeiadis: Formalizing the concurrency semantics of an LLVM fragment, CGO 2017
; This is what lets LLVM introduce speculative loads; RC11 gives such a program no meaning.
; FORALL: @y = 5
; EXPECT: llvm=Always+race
; EXPECT: rc11=Always+race sc=Always tso=Always

@x = global i32 0
@y = global i32 0

define void @t0() {
  store i32 1, ptr @x
  ret void
}

define void @t1() {
  %r = load i32, ptr @x
  store i32 5, ptr @y
  ret void
}
