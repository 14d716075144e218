; Two atomicrmw of one function that nothing orders: either may be first, neither is lost
; REF: the semantics, section 6, Dataflow ordering (CSA)
; FORALL: @x = 2 /\ ((f:%a = 0 /\ f:%b = 1) \/ (f:%a = 1 /\ f:%b = 0))
; EXPECT: csa=Always

@x = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  %a = atomicrmw add ptr @x, i32 1 monotonic, align 4
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  %b = atomicrmw add ptr @x, i32 1 monotonic, align 4
  %t = call i1 @llvm.csa.outord()
  %m = call i1 (...) @llvm.csa.all0(i1 %s, i1 %t)
  call void @llvm.csa.inord(i1 %m)
  ret void
}
