; A phi brings the token of the side that was taken
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: @y = 1 /\ f:%r = 0
; EXPECT: csa=Never

@x = global i32 0
@y = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  %c = load i32, ptr @x
  %l = call i1 @llvm.csa.outord()
  %b = icmp eq i32 %c, 0
  br i1 %b, label %then, label %else
then:
  call void @llvm.csa.inord(i1 %l)
  store i32 1, ptr @y
  %s = call i1 @llvm.csa.outord()
  br label %end
else:
  br label %end
end:
  %t = phi i1 [ %s, %then ], [ %l, %else ]
  call void @llvm.csa.inord(i1 %t)
  %r = load i32, ptr @y
  %v = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %v)
  ret void
}
