; A loop that is parallel by its metadata
; REF: semantics of dataflow ordering (CSA): pass alias; LangRef, llvm.loop.parallel_accesses
; All accesses belong to the group that the loop names, so no edge goes from round to round.
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
  %r = load i32, ptr %p, align 4, !llvm.access.group !0
  %csa.out.0 = call i1 @llvm.csa.outord()
  %more = add i32 %r, 1
  call void @llvm.csa.inord(i1 %csa.out.0)
  store i32 %more, ptr %p, align 4, !llvm.access.group !0
  %csa.out.1 = call i1 @llvm.csa.outord()
  %next = add i32 %i, 1
  %again = icmp ne i32 %next, 2
  br i1 %again, label %loop, label %done, !llvm.loop !1

done:
  call void @llvm.csa.inord(i1 %csa.out.1)
  ret void
}

!0 = distinct !{}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.parallel_accesses", !0}
