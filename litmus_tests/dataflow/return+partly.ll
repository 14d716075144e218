; A return that waits for the first of two stores in a row: the second may be missing
; REF: the semantics, section 6, Dataflow ordering (CSA)
; FORALL: @x = 1 /\ (@y = 0 \/ @y = 1)
; EXPECT: csa=Always

@x = global i32 0
@y = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @f() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  store i32 1, ptr @x
  %p = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %p)
  store i32 1, ptr @y
  %q = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %p)
  ret void
}
