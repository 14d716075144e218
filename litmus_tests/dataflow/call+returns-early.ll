; A function whose return waits for too little gives its token too early
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: f:%r = 0
; EXPECT: csa=Sometimes sc=Never

@x = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @put() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  store i32 1, ptr @x
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  ret void
}
define void @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  call void @put()
  %c = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %c)
  %r = load i32, ptr @x
  %l = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %l)
  ret void
}
