; Out of thin air: a cycle with one independent store is load buffering, not thin air
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; The 1 comes from a store that depends on nothing.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Sometimes llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %r1, ptr @x monotonic, align 4
  ret void
}
