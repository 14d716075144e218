; Message passing: release and acquire order monotonic data
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; The load of the data need not be guarded, since atomics do not race.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store atomic i32 1, ptr @data monotonic, align 4
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %data = load atomic i32, ptr @data monotonic, align 4
  ret void
}
