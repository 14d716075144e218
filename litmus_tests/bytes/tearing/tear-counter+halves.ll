; A 64-bit counter read by halves: the old high half beside the new low half
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; The counter goes from 4294967295 to 4294967296. The reader takes the high half first, and gets 0 for the old value's
; high and for the new value's low half.
; EXISTS: t1:%low = 0 /\ t1:%high = 0
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Sometimes sc=Sometimes tso=Sometimes

@counter = global i64 4294967295

define void @t0() {
  %old = atomicrmw add ptr @counter, i64 1 monotonic, align 8
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @counter, i64 4
  %high = load atomic i32, ptr %p monotonic, align 4
  %low = load atomic i32, ptr @counter monotonic, align 4
  ret void
}
