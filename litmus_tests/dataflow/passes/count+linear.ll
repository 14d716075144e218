; A counter is increased in each round of a loop, in a chain around the loop
; REF: semantics of dataflow ordering (CSA): pass linear
; The phi in the loop carries the entry's token, then that of the last store.
; EXISTS: @x = 2
; EXPECT: csa=Always sc=Always

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
  %csa.phi.0 = phi i1 [ %csa.entry, %entry ], [ %csa.out.1, %loop ]
  call void @llvm.csa.inord(i1 %csa.phi.0)
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
