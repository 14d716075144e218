; Load buffering through parts of a word
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; RC11 and the variant rc11 of the axiom forbid any cycle of reads-from and program order.
; EXISTS: t0:%r = 1 /\ t1:%r = 1
; EXPECT: llvm=Sometimes+mixed-atomics llvm/rc11=Never+mixed-atomics llvm/none=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i16 0
@y = global i16 0

define void @t0() {
  %r = load atomic i8, ptr @x monotonic, align 1
  store atomic i16 257, ptr @y monotonic, align 2
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @y, i64 1
  %r = load atomic i8, ptr %p monotonic, align 1
  store atomic i8 1, ptr @x monotonic, align 1
  ret void
}
