; Another thread reads the location: the claim is broken
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; Both accesses are atomic, so the program has no race and is undefined for the claim alone.
; EXISTS: t1:%p = 1
; EXPECT: llvm=Sometimes+ub-private+ub llvm/direct=Sometimes+ub-private+ub llvm/filtered=Sometimes+ub-private+ub
@p = global i32 0
define void @t0() {
  store atomic i32 1, ptr @p monotonic, align 4, !thread.private !{}
  ret void
}

define void @t1() {
  %p = load atomic i32, ptr @p monotonic, align 4
  ret void
}
