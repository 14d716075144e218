; A constant as the token on entry: the first round waits for nothing
; REF: the semantics, section 6, Dataflow ordering (CSA)
; The store of 3 may come before all rounds; the last load then reads 5.
; EXISTS: f:%r = 5 /\ @x = 6
; EXPECT: csa=Sometimes

@x = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
entry:
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  store i32 3, ptr @x
  %first = call i1 @llvm.csa.outord()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %t = phi i1 [ false, %entry ], [ %s, %loop ]
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
  %m = call i1 (...) @llvm.csa.all0(i1 %s, i1 %first)
  call void @llvm.csa.inord(i1 %m)
  ret void
}
