; The claim is on a location, not on an object: two threads, two elements of one array
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; The twin TP-elements-shared has both threads at one element.
; FORALL: t0:%r = 1 /\ t1:%r = 2
; EXPECT: llvm=Always llvm/direct=Always llvm/filtered=Always
@a = global [2 x i32] zeroinitializer
define void @t0() {
  store i32 1, ptr @a, !thread.private !{}
  %r = load i32, ptr @a, !thread.private !{}
  ret void
}

define void @t1() {
  %p = getelementptr [2 x i32], ptr @a, i64 0, i64 1
  store i32 2, ptr %p, !thread.private !{}
  %r = load i32, ptr %p, !thread.private !{}
  ret void
}
