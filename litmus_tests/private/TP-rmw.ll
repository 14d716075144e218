; Private read-modify-writes with acquire and release count up one by one
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; Every pair of the two is cut, but for the halves of one; coherence rests on program order.
; FORALL: t0:%a = 0 /\ t0:%b = 1 /\ @p = 2
; EXPECT: llvm=Always llvm/direct=Always llvm/filtered=Always
@p = global i32 0
define void @t0() {
  %a = atomicrmw add ptr @p, i32 1 acq_rel, align 4, !thread.private !{}
  %b = atomicrmw add ptr @p, i32 1 acq_rel, align 4, !thread.private !{}
  ret void
}
