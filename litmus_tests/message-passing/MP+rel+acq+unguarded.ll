; Message passing: an unguarded load of plain data races when the flag is not set
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; The stale outcome stays forbidden; the race is in the executions with the flag at 0.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never+race
; EXPECT: rc11=Never+race sc=Never tso=Never

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
