; Two loads and two stores that swap: dependencies alone let a value be overwritten too early
; REF: the semantics, section 6, Dataflow ordering (CSA)
; The first store may run before the second load has read its location, or the other way round.
; EXISTS: @x = 1 /\ @y = 1
; EXPECT: csa=Sometimes sc=Never

@x = global i32 1
@y = global i32 2

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  %a = load i32, ptr @x
  %p = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  %b = load i32, ptr @y
  %q = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  store i32 %b, ptr @x
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  store i32 %a, ptr @y
  %t = call i1 @llvm.csa.outord()
  %m = call i1 (...) @llvm.csa.all0(i1 %s, i1 %t)
  call void @llvm.csa.inord(i1 %m)
  ret void
}
