; Merges of merges, and one of a single token, order like the chain they stand for
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: f:%r = 0 \/ f:%t = 0
; EXPECT: csa=Never

@x = global i32 0
@y = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  store i32 1, ptr @x
  %p = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %e)
  store i32 1, ptr @y
  %q = call i1 @llvm.csa.outord()
  %one = call i1 (...) @llvm.csa.all0(i1 %p)
  %two = call i1 (...) @llvm.csa.all0(i1 %one, i1 %q)
  %three = call i1 (...) @llvm.csa.all0(i1 %two, i1 %e)
  call void @llvm.csa.inord(i1 %three)
  %r = load i32, ptr @x
  %v = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %three)
  %t = load i32, ptr @y
  %w = call i1 @llvm.csa.outord()
  %end = call i1 (...) @llvm.csa.all0(i1 %v, i1 %w)
  call void @llvm.csa.inord(i1 %end)
  ret void
}
