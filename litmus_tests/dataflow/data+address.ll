; Dependencies order without tokens: a pointer is read before what it points to
; REF: the semantics, section 6, Dataflow ordering (CSA)
; The pointer is @x or, if its load runs after the store, @y.
; EXISTS: f:%r = 7
; EXPECT: csa=Sometimes

@x = global i32 0
@y = global i32 7
@p = global ptr @x

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  store ptr @y, ptr @p
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  %q = load ptr, ptr @p
  %a = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 false)
  %r = load i32, ptr %q
  %b = call i1 @llvm.csa.outord()
  %m = call i1 (...) @llvm.csa.all0(i1 %s, i1 %b)
  call void @llvm.csa.inord(i1 %m)
  ret void
}
