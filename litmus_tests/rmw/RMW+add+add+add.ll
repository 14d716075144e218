; fetch_add: three increments give three different old values
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; FORALL: ~(t0:%r = t1:%r) /\ ~(t1:%r = t2:%r) /\ ~(t0:%r = t2:%r) /\ @x = 3
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0

define void @t0() {
  %r = atomicrmw add ptr @x, i32 1 monotonic, align 4
  ret void
}

define void @t1() {
  %r = atomicrmw add ptr @x, i32 1 monotonic, align 4
  ret void
}

define void @t2() {
  %r = atomicrmw add ptr @x, i32 1 monotonic, align 4
  ret void
}
