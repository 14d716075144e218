; Two readers agree on the order of monotonic writes to one location
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; Modification order is one total order a location.
; EXISTS: t2:%a = 1 /\ t2:%b = 2 /\ t3:%c = 2 /\ t3:%d = 1
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 2, ptr @x monotonic, align 4
  ret void
}

define void @t2() {
  %a = load atomic i32, ptr @x monotonic, align 4
  %b = load atomic i32, ptr @x monotonic, align 4
  ret void
}

define void @t3() {
  %c = load atomic i32, ptr @x monotonic, align 4
  %d = load atomic i32, ptr @x monotonic, align 4
  ret void
}
