; Data dependencies in both threads forbid load buffering
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; Dependencies are syntactic: the value stored is 1 whatever was read, yet it counts.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes
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
  %masked1 = and i32 %r1, 0
  %v1 = or i32 %masked1, 1
  store atomic i32 %v1, ptr @x monotonic, align 4
  ret void
}
