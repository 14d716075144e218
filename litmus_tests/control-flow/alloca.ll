; A local variable in memory is the thread's own
; REF: LLVM LangRef, alloca instruction
; Both threads run the same kernel; each has its own variable.
; THREADS: a=@kernel(i32 1) b=@kernel(i32 2)
; FORALL: a:%r = 1 /\ b:%r = 2
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always


define void @kernel(i32 %n) {
  %local = alloca i32
  store i32 %n, ptr %local
  %r = load i32, ptr %local
  ret void
}
