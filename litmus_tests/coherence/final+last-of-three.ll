; Final values: a later monotonic write of the same thread is last in modification order, or another thread's
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; EXISTS: @x = 1
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  store atomic i32 2, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 3, ptr @x monotonic, align 4
  ret void
}
