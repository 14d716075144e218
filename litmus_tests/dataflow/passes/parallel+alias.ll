; A parallel loop whose rounds touch different elements
; REF: semantics of dataflow ordering (CSA): pass alias; parallel region and section markers
; The markers are deleted; rounds do not wait for one another, and need not.
; EXISTS: @a[0] = 1 /\ @a[1] = 1
; EXPECT: csa=Always sc=Always

@a = global [2 x i32] zeroinitializer
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @f() {
entry:
  %csa.entry = call i1 @llvm.csa.mementry()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr [2 x i32], ptr @a, i32 0, i32 %i
  call void @llvm.csa.inord(i1 %csa.entry)
  %r = load i32, ptr %p, align 4
  %csa.out.0 = call i1 @llvm.csa.outord()
  %more = add i32 %r, 1
  call void @llvm.csa.inord(i1 %csa.out.0)
  store i32 %more, ptr %p, align 4
  %csa.out.1 = call i1 @llvm.csa.outord()
  %next = add i32 %i, 1
  %again = icmp ne i32 %next, 2
  br i1 %again, label %loop, label %done

done:
  call void @llvm.csa.inord(i1 %csa.out.1)
  ret void
}
