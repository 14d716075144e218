; Two stores to one location that wait for the entry only
; REF: semantics of dataflow ordering (CSA): pass race
; Either may be the last; both are over when `ret` runs, so memory never holds 0.
; EXISTS: @x = 2
; EXPECT: csa=Sometimes sc=Always

@x = global i32 0
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
  store i32 2, ptr @x, align 4
  %csa.out.1 = call i1 @llvm.csa.outord()
  %csa.all.0 = call i1 (...) @llvm.csa.all0(i1 %csa.out.0, i1 %csa.out.1)
  %csa.all.1 = call i1 (...) @llvm.csa.all0(i1 %csa.entry, i1 %csa.all.0)
  call void @llvm.csa.inord(i1 %csa.all.1)
  ret void
}
