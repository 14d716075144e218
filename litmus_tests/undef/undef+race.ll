; A plain load that races with a store returns undef, and nothing else
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Chakraborty, Vafeiadis: Formalizing the concurrency semantics of an LLVM fragment, CGO 2017
; LangRef: a load that may see several writes, not all atomic, is undef. In RC11 the same program is undefined
; behaviour.
; EXISTS: t1:%r = undef
; EXPECT: llvm=Always+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global i32 0

define void @t0() {
  store i32 1, ptr @x
  ret void
}

define void @t1() {
  %r = load i32, ptr @x
  ret void
}
