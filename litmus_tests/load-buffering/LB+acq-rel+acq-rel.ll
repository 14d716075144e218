; Load buffering: release and acquire in both threads forbid it
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; Each load happens before the other: happens-before would be cyclic.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Never llvm/none=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x acquire, align 4
  store atomic i32 1, ptr @y release, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y acquire, align 4
  store atomic i32 1, ptr @x release, align 4
  ret void
}
