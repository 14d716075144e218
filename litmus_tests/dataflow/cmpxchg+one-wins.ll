; Of two cmpxchg just one succeeds
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: f:%u = f:%v
; EXPECT: csa=Never

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
  %u = extractvalue { i32, i1 } %a, 1
  call void @llvm.csa.inord(i1 %e)
  %b = cmpxchg ptr @x, i32 0, i32 2 monotonic monotonic, align 4
  %t = call i1 @llvm.csa.outord()
  %v = extractvalue { i32, i1 } %b, 1
  %m = call i1 (...) @llvm.csa.all0(i1 %s, i1 %t)
  call void @llvm.csa.inord(i1 %m)
  ret void
}
