; A prefetch in a loop is ordered within the loop
; REF: semantics of dataflow ordering (CSA): pass alias, prefetch rule 4
; Its phi begins with a constant, not with the token of the load before the loop: the deepest loop that holds
; operations of its kind is all that counts, edges around the loop included.
; EXISTS: f:%r = 0 /\ f:%s = 1
; EXPECT: csa=Always sc=Always

@x = global i32 0
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
entry:
  %csa.entry = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %csa.entry)
  %r = load i32, ptr @x, align 4
  %csa.out.0 = call i1 @llvm.csa.outord()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %csa.phi.0 = phi i1 [ false, %entry ], [ %csa.out.2, %loop ]
  %csa.phi.1 = phi i1 [ %csa.entry, %entry ], [ %csa.out.3, %loop ]
  call void @llvm.csa.inord(i1 %csa.phi.0)
  call void @llvm.prefetch.p0(ptr @x, i32 0, i32 3, i32 1)
  %csa.out.1 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.phi.1)
  %s = load i32, ptr @x, align 4
  %csa.out.2 = call i1 @llvm.csa.outord()
  %csa.all.0 = call i1 (...) @llvm.csa.all0(i1 %csa.out.0, i1 %csa.out.2)
  call void @llvm.csa.inord(i1 %csa.all.0)
  store i32 1, ptr @x, align 4
  %csa.out.3 = call i1 @llvm.csa.outord()
  %next = add i32 %i, 1
  %again = icmp ne i32 %next, 2
  br i1 %again, label %loop, label %done

done:
  call void @llvm.csa.inord(i1 %csa.out.3)
  ret void
}
