; A return that waits for too little
; REF: semantics of dataflow ordering (CSA): final state at ret
; As the pass linear leaves it, but for the last token: `ret` waits for the first store only, so the second may be
; missing from the final state. Its neighbour is return-late.
; EXISTS: @x = 1 /\ @y = 1
; EXPECT: csa=Sometimes sc=Always

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
  call void @llvm.csa.inord(i1 %csa.out.0)
  ret void
}
