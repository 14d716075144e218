; Load buffering with tokens
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: left:%r = 1 /\ right:%r = 1
; EXPECT: csa=Never

@x = global i32 0
@y = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @left() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  %r = load i32, ptr @x
  %l = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %l)
  store i32 1, ptr @y
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %s)
  ret void
}
define void @right() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  %r = load i32, ptr @y
  %l = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %l)
  store i32 1, ptr @x
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %s)
  ret void
}
