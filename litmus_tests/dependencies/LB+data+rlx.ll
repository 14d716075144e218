; A data dependency in one thread only allows load buffering
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; One notch weaker than LB+data+data.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Sometimes llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  %masked0 = and i32 %r0, 0
  %v0 = or i32 %masked0, 1
  store atomic i32 %v0, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
