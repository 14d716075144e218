; A value goes from one location to another with nothing but data to order it
; REF: semantics of dataflow ordering (CSA): pass race
; Both loads may come too early.
; EXISTS: f:%r = 1 /\ f:%s = 1
; EXPECT: csa=Sometimes sc=Always

@x = global i32 0
@y = global i32 0
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
  %csa.entry = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 1, ptr @x, align 4
  %csa.out.0 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.entry)
  %r = load i32, ptr @x, align 4
  %csa.out.1 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 %r, ptr @y, align 4
  %csa.out.2 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.entry)
  %s = load i32, ptr @y, align 4
  %csa.out.3 = call i1 @llvm.csa.outord()
  %csa.all.0 = call i1 (...) @llvm.csa.all0(i1 %csa.out.0, i1 %csa.out.1, i1 %csa.out.2, i1 %csa.out.3)
  %csa.all.1 = call i1 (...) @llvm.csa.all0(i1 %csa.entry, i1 %csa.all.0)
  call void @llvm.csa.inord(i1 %csa.all.1)
  ret void
}
