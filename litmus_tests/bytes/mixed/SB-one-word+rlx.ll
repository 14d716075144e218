; Each thread stores its byte and reads the word: monotonic allows that both miss the other's
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; The neighbour of SB-one-word+sc: a load of the word may take its own thread's byte before others see it.
; EXISTS: t0:%r = 1 /\ t1:%r = 256
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Sometimes sc=Never

@x = global i16 0

define void @t0() {
  store atomic i8 1, ptr @x monotonic, align 1
  %r = load atomic i16, ptr @x monotonic, align 2
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @x, i64 1
  store atomic i8 1, ptr %p monotonic, align 1
  %r = load atomic i16, ptr @x monotonic, align 2
  ret void
}
