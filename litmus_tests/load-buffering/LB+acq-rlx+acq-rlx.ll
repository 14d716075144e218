; Load buffering: acquire loads alone allow it in LLVM
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; Acquire needs a release to read from; these stores are monotonic.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Sometimes llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x acquire, align 4
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y acquire, align 4
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
