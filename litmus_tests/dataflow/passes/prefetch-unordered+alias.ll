; A prefetch that nothing of its kind aliases waits for a constant
; REF: semantics of dataflow ordering (CSA): pass alias, prefetch rules 2 and 4
; The load that may alias it comes later, and the store is not of its kind.
; EXISTS: f:%s = 1
; EXPECT: csa=Always sc=Always

@x = global i32 0
@y = global i32 0
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
  %csa.entry = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %csa.entry)
  %r = load i32, ptr @y, align 4
  %csa.out.0 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 1, ptr @x, align 4
  %csa.out.1 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 false)
  call void @llvm.prefetch.p0(ptr @x, i32 0, i32 3, i32 1)
  %csa.out.2 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.1)
  %s = load i32, ptr @x, align 4
  %csa.out.3 = call i1 @llvm.csa.outord()
  %csa.all.0 = call i1 (...) @llvm.csa.all0(i1 %csa.out.0, i1 %csa.out.3)
  call void @llvm.csa.inord(i1 %csa.all.0)
  ret void
}
