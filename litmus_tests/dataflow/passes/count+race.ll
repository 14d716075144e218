; A counter is increased in each round of a loop, and rounds do not wait
; REF: semantics of dataflow ordering (CSA): pass race
; The second round may load before the first has stored. `ret` needs no phi: a token says that all earlier runs are over.
; EXISTS: @x = 2
; EXPECT: csa=Sometimes sc=Always

@x = global i32 0
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
entry:
  %csa.entry = call i1 @llvm.csa.mementry()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.csa.inord(i1 %csa.entry)
  %r = load i32, ptr @x, align 4
  %csa.out.0 = call i1 @llvm.csa.outord()
  %more = add i32 %r, 1
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 %more, ptr @x, align 4
  %csa.out.1 = call i1 @llvm.csa.outord()
  %next = add i32 %i, 1
  %again = icmp ne i32 %next, 2
  %csa.all.0 = call i1 (...) @llvm.csa.all0(i1 %csa.out.0, i1 %csa.out.1)
  br i1 %again, label %loop, label %done

done:
  %csa.all.1 = call i1 (...) @llvm.csa.all0(i1 %csa.entry, i1 %csa.all.0)
  call void @llvm.csa.inord(i1 %csa.all.1)
  ret void
}
