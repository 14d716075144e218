; fetch_add: no monotonic store comes between its read and its write
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; If the store were last, memory would hold 5.
; EXISTS: t0:%r = 0 /\ @x = 1
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  %r = atomicrmw add ptr @x, i32 1 monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 5, ptr @x monotonic, align 4
  ret void
}
