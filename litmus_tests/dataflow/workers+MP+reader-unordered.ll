; Message passing with nothing between the loads
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: consumer:%f = 1 /\ consumer:%d = 0
; EXPECT: csa=Sometimes sc=Never

@data = global i32 0
@flag = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @producer() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  store i32 1, ptr @data
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %s)
  store i32 1, ptr @flag
  %t = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %t)
  ret void
}
define void @consumer() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  %f = load i32, ptr @flag
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  %d = load i32, ptr @data
  %t = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %t)
  ret void
}
