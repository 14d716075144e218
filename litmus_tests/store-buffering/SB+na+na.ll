; Store buffering on plain memory: the loads race and return undef
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; Each load may see the initial write and the racing store, so LLVM gives it undef; RC11 calls the program
; undefined.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store i32 1, ptr @x
  %r0 = load i32, ptr @y
  ret void
}

define void @t1() {
  store i32 1, ptr @y
  %r1 = load i32, ptr @x
  ret void
}
