; Message passing, all monotonic: stale data without a race
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; Atomics never race with each other; the outcome is allowed, and no value is undef.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes llvm/rc11=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store atomic i32 1, ptr @data monotonic, align 4
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %data = load atomic i32, ptr @data monotonic, align 4
  ret void
}
