; The initial write breaks no claim
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; It is the work of no thread.
; FORALL: t0:%r = 0
; EXPECT: llvm=Always llvm/direct=Always llvm/filtered=Always
@p = global i32 0
@x = global i32 0
define void @t0() {
  %r = load i32, ptr @p, !thread.private !{}
  ret void
}

define void @t1() {
  store i32 1, ptr @x
  ret void
}
