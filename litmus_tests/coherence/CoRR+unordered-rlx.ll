; CoRR: one unordered read is enough to lose coherence
; REF: LLVM LangRef, Atomic Memory Ordering Constraints (unordered)
; One notch weaker than CoRR+rlx: from-reads exists between monotonic or stronger accesses only.
; EXISTS: t1:%r0 = 1 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  %r0 = load atomic i32, ptr @x unordered, align 4
  %r1 = load atomic i32, ptr @x monotonic, align 4
  ret void
}
