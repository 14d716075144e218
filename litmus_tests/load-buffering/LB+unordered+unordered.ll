; Load buffering, unordered: as with monotonic
; REF: LLVM LangRef, Atomic Memory Ordering Constraints (unordered)
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Sometimes llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x unordered, align 4
  store atomic i32 1, ptr @y unordered, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y unordered, align 4
  store atomic i32 1, ptr @x unordered, align 4
  ret void
}
