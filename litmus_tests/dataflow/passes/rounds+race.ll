; Each round of a loop takes another branch, and `ret` waits for both
; REF: semantics of dataflow ordering (CSA): pass race
; What the first round did is handed on by the phi of the loop: the last round's tokens alone would not say that it is over.
; EXISTS: @x = 1 /\ @y = 1
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
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %csa.phi.0 = phi i1 [ %csa.entry, %entry ], [ %csa.phi.1, %latch ]
  %first = icmp eq i32 %i, 0
  br i1 %first, label %one, label %two

one:
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 1, ptr @x, align 4
  %csa.out.0 = call i1 @llvm.csa.outord()
  %csa.all.0 = call i1 (...) @llvm.csa.all0(i1 %csa.out.0, i1 %csa.phi.0)
  br label %latch

two:
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 1, ptr @y, align 4
  %csa.out.1 = call i1 @llvm.csa.outord()
  %csa.all.1 = call i1 (...) @llvm.csa.all0(i1 %csa.out.1, i1 %csa.phi.0)
  br label %latch

latch:
  %csa.phi.1 = phi i1 [ %csa.all.0, %one ], [ %csa.all.1, %two ]
  %next = add i32 %i, 1
  %again = icmp ne i32 %next, 2
  br i1 %again, label %loop, label %done

done:
  %csa.all.2 = call i1 (...) @llvm.csa.all0(i1 %csa.entry, i1 %csa.phi.1)
  call void @llvm.csa.inord(i1 %csa.all.2)
  ret void
}
