; What a return leaves behind still runs: a load may see more than memory held at the return
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: f:%r = 1 /\ @x = 0
; EXPECT: csa=Sometimes

@x = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  store i32 1, ptr @x
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %s)
  %r = load i32, ptr @x
  %l = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  ret void
}
