; The same program without the annotation is defined
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; The twin of TP-broken.
; EXISTS: t1:%p = 1
; EXPECT: llvm=Sometimes llvm/direct=Sometimes llvm/filtered=Sometimes
@p = global i32 0
define void @t0() {
  store atomic i32 1, ptr @p monotonic, align 4
  ret void
}

define void @t1() {
  %p = load atomic i32, ptr @p monotonic, align 4
  ret void
}
