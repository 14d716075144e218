; A store in one branch, and a load where the branches meet
; REF: semantics of dataflow ordering (CSA): pass alias
; The load waits for the store through a phi that carries the entry's token on the other way.
; EXISTS: f:%s = 2
; EXPECT: csa=Always sc=Always

@x = global i32 0
@y = global i32 0
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)

define void @f() {
  %csa.entry = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 1, ptr @y, align 4
  %csa.out.0 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.0)
  %r = load i32, ptr @y, align 4
  %csa.out.1 = call i1 @llvm.csa.outord()
  %c = icmp eq i32 %r, 1
  br i1 %c, label %then, label %else

then:
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 2, ptr @x, align 4
  %csa.out.2 = call i1 @llvm.csa.outord()
  br label %join

else:
  call void @llvm.csa.inord(i1 %csa.out.1)
  store i32 3, ptr @y, align 4
  %csa.out.3 = call i1 @llvm.csa.outord()
  br label %join

join:
  %csa.phi.0 = phi i1 [ %csa.out.2, %then ], [ %csa.entry, %else ]
  %csa.phi.1 = phi i1 [ %csa.entry, %then ], [ %csa.out.3, %else ]
  call void @llvm.csa.inord(i1 %csa.phi.0)
  %s = load i32, ptr @x, align 4
  %csa.out.4 = call i1 @llvm.csa.outord()
  %csa.all.0 = call i1 (...) @llvm.csa.all0(i1 %csa.out.1, i1 %csa.phi.1, i1 %csa.out.4)
  call void @llvm.csa.inord(i1 %csa.all.0)
  ret void
}
