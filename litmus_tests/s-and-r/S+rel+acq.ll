; S: release and acquire forbid it
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; The first store to x happens before the second, so modification order and the final value follow.
; EXISTS: t1:%r = 1 /\ @x = 2
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 2, ptr @x monotonic, align 4
  store atomic i32 1, ptr @y release, align 4
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @y acquire, align 4
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
