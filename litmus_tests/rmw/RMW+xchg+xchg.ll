; xchg: only one of two threads takes the initial value
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; EXISTS: t0:%r = 0 /\ t1:%r = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  %r = atomicrmw xchg ptr @x, i32 1 monotonic, align 4
  ret void
}

define void @t1() {
  %r = atomicrmw xchg ptr @x, i32 2 monotonic, align 4
  ret void
}
