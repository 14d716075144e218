; Each thread stores its byte and reads the word: seq_cst forbids that both miss the other's
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; The order of seq_cst instructions is one of instructions, whichever of their bytes it comes from.
; EXISTS: t0:%r = 1 /\ t1:%r = 256
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never

@x = global i16 0

define void @t0() {
  store atomic i8 1, ptr @x seq_cst, align 1
  %r = load atomic i16, ptr @x seq_cst, align 2
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @x, i64 1
  store atomic i8 1, ptr %p seq_cst, align 1
  %r = load atomic i16, ptr @x seq_cst, align 2
  ret void
}
