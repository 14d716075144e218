; A load is defined in the executions in which it is ordered, and undef in the others
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Chakraborty, Vafeiadis: Formalizing the concurrency semantics of an LLVM fragment, CGO 2017
; With the flag at 0 the unguarded load races; with 1 it reads the data.
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never+race

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %data = load i32, ptr @data
  ret void
}
