; Store buffering with words stored and bytes read: monotonic allows it
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The neighbour of SB-parts+sc.
; EXISTS: t0:%r = 0 /\ t1:%r = 0
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i16 0
@y = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x monotonic, align 2
  %r = load atomic i8, ptr @y monotonic, align 1
  ret void
}

define void @t1() {
  store atomic i16 257, ptr @y monotonic, align 2
  %p = getelementptr i8, ptr @x, i64 1
  %r = load atomic i8, ptr %p monotonic, align 1
  ret void
}
