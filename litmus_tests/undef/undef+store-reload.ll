; undef passes through memory: store it, load it again
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Chakraborty, Vafeiadis: Formalizing the concurrency semantics of an LLVM fragment, CGO 2017
; The second location is not racy, its value is.
; EXISTS: t1:%s = undef
; EXPECT: llvm=Always+race
; EXPECT: rc11=Never+race

@x = global i32 0
@y = global i32 0

define void @t0() {
  store i32 1, ptr @x
  ret void
}

define void @t1() {
  %r = load i32, ptr @x
  store i32 %r, ptr @y
  %s = load i32, ptr @y
  ret void
}
