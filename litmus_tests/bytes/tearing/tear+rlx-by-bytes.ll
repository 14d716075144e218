; Two loads of a byte may see a monotonic store of two bytes in part
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; The neighbour of tear+rlx: nothing holds two loads together. The first one reads the new byte, the second the old.
; EXISTS: t1:%first = 1 /\ t1:%second = 0
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x monotonic, align 2
  ret void
}

define void @t1() {
  %first = load atomic i8, ptr @x monotonic, align 1
  %p = getelementptr i8, ptr @x, i64 1
  %second = load atomic i8, ptr %p monotonic, align 1
  ret void
}
