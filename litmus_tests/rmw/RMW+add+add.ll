; fetch_add: no increment is lost, even monotonic
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; Each read-modify-write is next to what it read in modification order.
; FORALL: @x = 2
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
