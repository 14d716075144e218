; Several returns, each behind its own stores
; REF: semantics of dataflow ordering (CSA): pass alias
; Each `ret` waits for what is on its way. No path leads to the block that does not return.
; EXISTS: @x = 2 /\ @y = 0
; EXPECT: csa=Always sc=Always

@x = global i32 0
@y = global i32 0
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
entry:
  %csa.entry = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 1, ptr @x, align 4
  %csa.out.0 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.0)
  %r = load i32, ptr @x, align 4
  %csa.out.1 = call i1 @llvm.csa.outord()
  switch i32 %r, label %other [
    i32 1, label %one
    i32 2, label %two
  ]

one:
  call void @llvm.csa.inord(i1 %csa.out.1)
  store i32 2, ptr @x, align 4
  %csa.out.2 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.2)
  ret void

two:
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 1, ptr @y, align 4
  %csa.out.3 = call i1 @llvm.csa.outord()
  %csa.all.0 = call i1 (...) @llvm.csa.all0(i1 %csa.out.1, i1 %csa.out.3)
  call void @llvm.csa.inord(i1 %csa.all.0)
  ret void

other:
  unreachable
}
