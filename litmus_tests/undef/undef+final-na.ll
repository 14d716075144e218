; Two plain stores that race leave undef in memory
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Chakraborty, Vafeiadis: Formalizing the concurrency semantics of an LLVM fragment, CGO 2017
; No store of the location is ordered after the other.
; EXISTS: @x = undef
; EXPECT: llvm=Always+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global i32 0

define void @t0() {
  store i32 1, ptr @x
  ret void
}

define void @t1() {
  store i32 2, ptr @x
  ret void
}
