; A channel delivers in order: who waits for the last run of a store waits for the earlier ones
; REF: the semantics, section 6, Dataflow ordering (CSA)
; The rounds wait for nothing, and only the token of the second leaves the loop.
; EXISTS: f:%r = 0
; EXPECT: csa=Never

@a = global [2 x i32] zeroinitializer

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @f() {
entry:
  %e = call i1 @llvm.csa.mementry()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr [2 x i32], ptr @a, i32 0, i32 %i
  call void @llvm.csa.inord(i1 %e)
  store i32 1, ptr %place
  %s = call i1 @llvm.csa.outord()
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 2
  br i1 %again, label %loop, label %end
end:
  call void @llvm.csa.inord(i1 %s)
  %r = load i32, ptr @a
  %l = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %l)
  ret void
}
