; CoRR: two monotonic reads of one location do not go backwards
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; The second read would be coherence-before the first.
; EXISTS: t1:%r0 = 1 /\ t1:%r1 = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  %r1 = load atomic i32, ptr @x monotonic, align 4
  ret void
}
