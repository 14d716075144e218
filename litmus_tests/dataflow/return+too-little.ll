; A return that waits for too little: the store may be missing when it runs
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: @x = 0
; EXPECT: csa=Sometimes sc=Never

@x = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  store i32 1, ptr @x
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  ret void
}
