; cmpxchg: only one of two threads wins
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; EXISTS: t0:%won = 1 /\ t1:%won = 1
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  %pair = cmpxchg ptr @x, i32 0, i32 1 monotonic monotonic, align 4
  %won = extractvalue { i32, i1 } %pair, 1
  ret void
}

define void @t1() {
  %pair = cmpxchg ptr @x, i32 0, i32 2 monotonic monotonic, align 4
  %won = extractvalue { i32, i1 } %pair, 1
  ret void
}
