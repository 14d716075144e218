; Two threads that only read break the claim, too
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; The claim is on accesses, not on writes.
; EXISTS: t0:%p = 0 /\ t1:%p = 0
; EXPECT: llvm=Always+ub-private+ub llvm/direct=Always+ub-private+ub llvm/filtered=Always+ub-private+ub
@p = global i32 0
define void @t0() {
  %p = load i32, ptr @p, !thread.private !{}
  ret void
}

define void @t1() {
  %p = load i32, ptr @p
  ret void
}
