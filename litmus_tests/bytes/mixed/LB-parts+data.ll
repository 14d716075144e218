; A value out of thin air through parts of a word: data dependencies go by instructions
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; The neighbour of LB-parts+po.
; EXISTS: ~(t0:%r = 0)
; EXPECT: llvm=Never+mixed-atomics llvm/rc11=Never+mixed-atomics llvm/none=Sometimes+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i16 0
@y = global i16 0

define void @t0() {
  %r = load atomic i8, ptr @x monotonic, align 1
  %w = zext i8 %r to i16
  %both = mul i16 %w, 257
  store atomic i16 %both, ptr @y monotonic, align 2
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @y, i64 1
  %r = load atomic i8, ptr %p monotonic, align 1
  store atomic i8 %r, ptr @x monotonic, align 1
  ret void
}
