; A store behind a branch waits for the load that decides the branch
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: f:%r = 1
; EXPECT: csa=Never

@x = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  %r = load i32, ptr @x
  %l = call i1 @llvm.csa.outord()
  %c = icmp eq i32 %r, 0
  br i1 %c, label %then, label %end
then:
  call void @llvm.csa.inord(i1 %e)
  store i32 1, ptr @x
  %s = call i1 @llvm.csa.outord()
  br label %end
end:
  %t = phi i1 [ %l, %0 ], [ %s, %then ]
  call void @llvm.csa.inord(i1 %t)
  ret void
}
