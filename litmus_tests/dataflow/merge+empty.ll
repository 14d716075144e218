; A merge of no tokens is there from the start
; REF: the semantics, section 6, Dataflow ordering (CSA)
; EXISTS: f:%r = 0
; EXPECT: csa=Sometimes

@x = global i32 0

declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
  call void @llvm.csa.inord(i1 false)
  store i32 1, ptr @x
  %s = call i1 @llvm.csa.outord()
  %m = call i1 (...) @llvm.csa.all0()
  call void @llvm.csa.inord(i1 %m)
  %r = load i32, ptr @x
  %l = call i1 @llvm.csa.outord()
  %n = call i1 (...) @llvm.csa.all0(i1 %s, i1 %l)
  call void @llvm.csa.inord(i1 %n)
  ret void
}
