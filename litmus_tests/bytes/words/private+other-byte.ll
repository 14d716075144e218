; A thread-private byte beside a byte of another thread: the claim is kept
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; Both lie in one word, and the claim is about what is accessed.
; FORALL: @x = 513
; EXPECT: llvm=Always amdgpu=Always

@x = global i16 0

define void @t0() {
  store i8 1, ptr @x, !thread.private !{}
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @x, i64 1
  store i8 2, ptr %p
  ret void
}
