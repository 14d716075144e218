; A load from constant memory takes no part in the order
; REF: the semantics, section 6, Dataflow ordering (CSA)
; FORALL: f:%r = 7 /\ @x = 7
; EXPECT: csa=Always

@x = global i32 0
@table = constant i32 7

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @f() {
  %e = call i1 @llvm.csa.mementry()
  %r = load i32, ptr @table
  call void @llvm.csa.inord(i1 %e)
  store i32 %r, ptr @x
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %s)
  ret void
}
