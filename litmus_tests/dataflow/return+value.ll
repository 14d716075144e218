; A return waits for the value that it returns
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: @x = 0
; EXPECT: csa=Never

@x = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define i32 @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  store i32 1, ptr @x
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %s)
  %r = load i32, ptr @x
  %l = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  ret i32 %r
}
