; A prefetch waits and gives tokens as a load does: order goes through it
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: f:%r = 0
; EXPECT: csa=Never

@x = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

define void @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  store i32 1, ptr @x
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %s)
  call void @llvm.prefetch.p0(ptr @x, i32 0, i32 3, i32 1)
  %p = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %p)
  %r = load i32, ptr @x
  %l = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %l)
  ret void
}
