; Load buffering on plain memory: both loads are undef
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; An undef read reads from no write, so no axiom about reads-from applies to it. RC11 has a race, but never this
; outcome.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Sometimes+race llvm/rc11=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load i32, ptr @x
  store i32 1, ptr @y
  ret void
}

define void @t1() {
  %r1 = load i32, ptr @y
  store i32 1, ptr @x
  ret void
}
