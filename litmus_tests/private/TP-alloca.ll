; Memory of the stack is private: annotated accesses to an alloca keep their claim
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; The same function in two threads has two locations.
; THREADS: t0=@worker(i32 1) t1=@worker(i32 2)
; FORALL: t0:%r = 1 /\ t1:%r = 2
; EXPECT: llvm=Always llvm/direct=Always llvm/filtered=Always
define void @worker(i32 %id) {
  %p = alloca i32
  store i32 %id, ptr %p, !thread.private !{}
  fence seq_cst
  %r = load i32, ptr %p, !thread.private !{}
  ret void
}
