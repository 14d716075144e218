; A loop that is marked parallel, and is not
; REF: semantics of dataflow ordering (CSA): pass alias; parallel region and section markers
; The markers promise that rounds are independent. They are not: an increment may be lost.
; EXISTS: @x = 2
; EXPECT: csa=Sometimes sc=Always

@x = global i32 0
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @f() {
entry:
  %csa.entry = call i1 @llvm.csa.mementry()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.csa.inord(i1 %csa.entry)
  %r = load i32, ptr @x, align 4
  %csa.out.0 = call i1 @llvm.csa.outord()
  %more = add i32 %r, 1
  call void @llvm.csa.inord(i1 %csa.out.0)
  store i32 %more, ptr @x, align 4
  %csa.out.1 = call i1 @llvm.csa.outord()
  %next = add i32 %i, 1
  %again = icmp ne i32 %next, 2
  br i1 %again, label %loop, label %done

done:
  call void @llvm.csa.inord(i1 %csa.out.1)
  ret void
}
