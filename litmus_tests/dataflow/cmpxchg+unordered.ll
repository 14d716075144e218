; Two cmpxchg that nothing orders: the later one may be the one that wins
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: @x = 2
; EXPECT: csa=Sometimes sc=Never

@x = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  %a = cmpxchg ptr @x, i32 0, i32 1 monotonic monotonic, align 4
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  %b = cmpxchg ptr @x, i32 0, i32 2 monotonic monotonic, align 4
  %t = call i1 @llvm.csa.outord()
  %m = call i1 (...) @llvm.csa.all0(i1 %s, i1 %t)
  call void @llvm.csa.inord(i1 %m)
  ret void
}
