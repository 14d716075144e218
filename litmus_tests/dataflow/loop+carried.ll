; A counter in memory: the store of each round before the load of the next, by a phi of tokens
; REF: the semantics, section 6, Dataflow ordering (CSA)
; FORALL: @x = 3
; EXPECT: csa=Always

@x = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @f() {
entry:
  %e = call i1 @llvm.csa.mementry()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %t = phi i1 [ %e, %entry ], [ %s, %loop ]
  call void @llvm.csa.inord(i1 %t)
  %r = load i32, ptr @x
  %l = call i1 @llvm.csa.outord()
  %sum = add i32 %r, 1
  call void @llvm.csa.inord(i1 %l)
  store i32 %sum, ptr @x
  %s = call i1 @llvm.csa.outord()
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 3
  br i1 %again, label %loop, label %end
end:
  call void @llvm.csa.inord(i1 %s)
  ret void
}
