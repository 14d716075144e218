; CoWW: modification order follows program order
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; The other thread sees the two writes in their order.
; EXISTS: t1:%r0 = 2 /\ t1:%r1 = 1
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  store atomic i32 2, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  %r1 = load atomic i32, ptr @x monotonic, align 4
  ret void
}
