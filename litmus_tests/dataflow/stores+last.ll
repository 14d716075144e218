; Stores of one location that nothing orders: any may be the last
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: @x = 1
; EXPECT: csa=Sometimes sc=Never

@x = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  store i32 1, ptr @x
  %a = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  store i32 2, ptr @x
  %b = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  store i32 3, ptr @x
  %c = call i1 @llvm.csa.outord()
  %m = call i1 (...) @llvm.csa.all0(i1 %a, i1 %b, i1 %c)
  call void @llvm.csa.inord(i1 %m)
  ret void
}
