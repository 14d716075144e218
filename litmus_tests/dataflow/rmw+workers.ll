; Two workers that count with atomicrmw lose nothing
; REF: the semantics, section 6, Dataflow ordering (CSA)
; FORALL: @x = 2
; EXPECT: csa=Always

@x = global i32 0

declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()

define void @left() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  %a = atomicrmw add ptr @x, i32 1 monotonic, align 4
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %s)
  ret void
}
define void @right() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  %a = atomicrmw add ptr @x, i32 1 monotonic, align 4
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %s)
  ret void
}
