; A store and a load that nothing orders: the load may run first
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: f:%r = 0
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
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  %r = load i32, ptr @x
  %l = call i1 @llvm.csa.outord()
  %m = call i1 (...) @llvm.csa.all0(i1 %s, i1 %l)
  call void @llvm.csa.inord(i1 %m)
  ret void
}
