; The claim is on a location: two threads at one element of an array break it
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; Atomic accesses, so that there is no race: either thread may be the last to have stored.
; EXISTS: @a[1] = 1
; EXPECT: llvm=Sometimes+ub-private+ub llvm/direct=Sometimes+ub-private+ub llvm/filtered=Sometimes+ub-private+ub
@a = global [2 x i32] zeroinitializer
define void @t0() {
  %p = getelementptr [2 x i32], ptr @a, i64 0, i64 1
  store atomic i32 1, ptr %p monotonic, align 4, !thread.private !{}
  ret void
}

define void @t1() {
  %p = getelementptr [2 x i32], ptr @a, i64 0, i64 1
  store atomic i32 2, ptr %p monotonic, align 4, !thread.private !{}
  ret void
}
