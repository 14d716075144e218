; A merge that leaves out one of the loads: that one may see the store
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: f:%a = 0 /\ f:%b = 1
; EXPECT: csa=Sometimes

@x = global i32 0

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
  %b = load i32, ptr @x
  %q = call i1 @llvm.csa.outord()
  %m = call i1 (...) @llvm.csa.all0(i1 %e, i1 %p)
  call void @llvm.csa.inord(i1 %m)
  store i32 1, ptr @x
  %s = call i1 @llvm.csa.outord()
  %n = call i1 (...) @llvm.csa.all0(i1 %s, i1 %q)
  call void @llvm.csa.inord(i1 %n)
  ret void
}
