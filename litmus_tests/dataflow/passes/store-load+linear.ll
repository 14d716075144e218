; A store and a load of one location, in a chain
; REF: semantics of dataflow ordering (CSA): pass linear
; The chain is program order: the load sees the store. Its neighbour store-load+race has no chain.
; EXISTS: f:%r = 1
; EXPECT: csa=Always sc=Always

@x = global i32 0
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @f() {
  %csa.entry = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 1, ptr @x, align 4
  %csa.out.0 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.0)
  %r = load i32, ptr @x, align 4
  %csa.out.1 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.1)
  ret void
}
