; Two readers of a word disagree on which of its bytes was written first: seq_cst forbids it
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; IRIW in which each reader is a single load.
; EXISTS: t2:%word = 1 /\ t3:%word = 256
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store atomic i8 1, ptr @x seq_cst, align 1
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @x, i64 1
  store atomic i8 1, ptr %p seq_cst, align 1
  ret void
}

define void @t2() {
  %word = load atomic i16, ptr @x seq_cst, align 2
  ret void
}

define void @t3() {
  %word = load atomic i16, ptr @x seq_cst, align 2
  ret void
}
