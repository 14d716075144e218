; Out of thin air on plain memory: the race gives undef, which may be any value
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; This is not a value from nowhere but undef: both loads may see two writes.
; EXISTS: t0:%r0 = 42 /\ t1:%r1 = 42
; EXPECT: llvm=Sometimes+race llvm/none=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global i32 0
@y = global i32 0
@unrelated = global i32 42

define void @t0() {
  %r0 = load i32, ptr @x
  store i32 %r0, ptr @y
  ret void
}

define void @t1() {
  %r1 = load i32, ptr @y
  store i32 %r1, ptr @x
  ret void
}
