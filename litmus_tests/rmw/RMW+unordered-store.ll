; fetch_add: a concurrent unordered store has no place in modification order
; REF: LLVM LangRef, Atomic Memory Ordering Constraints (unordered)
; There is no race, but the final value is undef: nothing says which of the two writes is last.
; EXISTS: t0:%r = 0 /\ @x = 1
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  %r = atomicrmw add ptr @x, i32 1 monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 5, ptr @x unordered, align 4
  ret void
}
