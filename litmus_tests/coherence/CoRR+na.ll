; CoRR: plain reads that race are undef, both of them
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; RC11 has coherence for plain accesses too; there the race makes the program undefined.
; EXISTS: t1:%r0 = 1 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global i32 0

define void @t0() {
  store i32 1, ptr @x
  ret void
}

define void @t1() {
  %r0 = load i32, ptr @x
  %r1 = load i32, ptr @x
  ret void
}
