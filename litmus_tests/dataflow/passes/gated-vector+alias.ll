; A gated prefetch whose gate is a vector
; REF: semantics of dataflow ordering (CSA): pass alias; gated prefetch
; The vector is cast to an integer and cut to one bit, which is the token. Its output is not used.
; EXISTS: f:%r = 1
; EXPECT: csa=Always sc=Always

@x = global i32 0
@v = global <2 x i32> zeroinitializer
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

define void @f() {
  %csa.entry = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %csa.entry)
  %v = load <2 x i32>, ptr @v, align 8
  %csa.out.0 = call i1 @llvm.csa.outord()
  %csa.gate.0 = bitcast < 2 x i32 > %v to i64
  %csa.gate.1 = trunc i64 %csa.gate.0 to i1
  call void @llvm.csa.inord(i1 %csa.gate.1)
  call void @llvm.prefetch.p0(ptr @x, i32 0, i32 3, i32 1)
  %csa.out.3 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.entry)
  store i32 1, ptr @x, align 4
  %csa.out.1 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.1)
  %r = load i32, ptr @x, align 4
  %csa.out.2 = call i1 @llvm.csa.outord()
  %csa.all.0 = call i1 (...) @llvm.csa.all0(i1 %csa.out.0, i1 %csa.out.2)
  call void @llvm.csa.inord(i1 %csa.all.0)
  ret void
}
