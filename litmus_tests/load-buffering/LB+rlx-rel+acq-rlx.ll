; Load buffering: one synchronization is enough to forbid it
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; The first load happens before the store that it reads from, against coherence.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Never llvm/none=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  store atomic i32 1, ptr @y release, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y acquire, align 4
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
