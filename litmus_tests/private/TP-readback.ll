; A thread reads back its private location across a seq_cst fence
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; The cut takes the pairs with the fence out of happens-before; program order of one location stays.
; FORALL: t0:%r = 1
; EXPECT: llvm=Always llvm/direct=Always llvm/filtered=Always
@p = global i32 0
define void @t0() {
  store i32 1, ptr @p, !thread.private !{}
  fence seq_cst
  %r = load i32, ptr @p, !thread.private !{}
  ret void
}
