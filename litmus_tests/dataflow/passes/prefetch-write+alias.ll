; A write prefetch waits for stores, too
; REF: semantics of dataflow ordering (CSA): pass alias, prefetch rules 1 and 2
; It comes after the first store; the second store takes no token of it.
; EXISTS: @x = 2
; EXPECT: csa=Always sc=Always

@x = global i32 0
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @f() {
  %csa.entry = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 1, ptr @x, align 4
  %csa.out.0 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.0)
  call void @llvm.prefetch.p0(ptr @x, i32 1, i32 3, i32 1)
  %csa.out.1 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.0)
  store i32 2, ptr @x, align 4
  %csa.out.2 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.2)
  ret void
}
