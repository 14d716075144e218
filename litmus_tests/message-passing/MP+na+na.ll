; Message passing on plain memory: flag and data both race
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; No load is guarded here, because a branch on the racy flag would be a branch on undef.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store i32 1, ptr @flag
  ret void
}

define void @t1() {
  %flag = load i32, ptr @flag
  %data = load i32, ptr @data
  ret void
}
