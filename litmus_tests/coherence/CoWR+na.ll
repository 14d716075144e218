; CoWR: a plain read of the thread's own write is undef when another write races
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; Two writes are visible to the read, and neither is final: both values are undef.
; EXISTS: t0:%r = 2 /\ @x = 1
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global i32 0

define void @t0() {
  store i32 1, ptr @x
  %r = load i32, ptr @x
  ret void
}

define void @t1() {
  store i32 2, ptr @x
  ret void
}
