; Two readers of a word disagree on which of its bytes was written first: release and acquire allow it
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; The neighbour of IRIW-one-word+sc.
; EXISTS: t2:%word = 1 /\ t3:%word = 256
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store atomic i8 1, ptr @x release, align 1
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @x, i64 1
  store atomic i8 1, ptr %p release, align 1
  ret void
}

define void @t2() {
  %word = load atomic i16, ptr @x acquire, align 2
  ret void
}

define void @t3() {
  %word = load atomic i16, ptr @x acquire, align 2
  ret void
}
