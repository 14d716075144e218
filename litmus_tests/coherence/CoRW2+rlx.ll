; CoRW2: a write comes after what its thread has read before
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; EXISTS: t0:%r = 2 /\ @x = 2
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  %r = load atomic i32, ptr @x monotonic, align 4
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 2, ptr @x monotonic, align 4
  ret void
}
