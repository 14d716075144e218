; A return that waits for the last of a chain
; REF: semantics of dataflow ordering (CSA): final state at ret; pass linear
; The token of the second store implies that of the first.
; EXISTS: @x = 1 /\ @y = 1
; EXPECT: csa=Always sc=Always

@x = global i32 0
@y = global i32 0
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @f() {
  %csa.entry = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 1, ptr @x, align 4
  %csa.out.0 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.0)
  store i32 1, ptr @y, align 4
  %csa.out.1 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.1)
  ret void
}
