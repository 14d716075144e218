; A gated prefetch whose gate is a struct
; REF: semantics of dataflow ordering (CSA): pass alias; gated prefetch
; Each element becomes a token; all of them are merged.
; EXISTS: f:%r = 0 /\ f:%s = 1
; EXPECT: csa=Always sc=Always

%S = type { i32, i1 }

@x = global i32 0
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

define void @f() {
  %csa.entry = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %csa.entry)
  %r = load i32, ptr @x, align 4
  %csa.out.0 = call i1 @llvm.csa.outord()
  %one = insertvalue %S undef, i32 %r, 0
  %both = insertvalue %S %one, i1 true, 1
  %csa.gate.0 = extractvalue %S %both, 0
  %csa.gate.1 = trunc i32 %csa.gate.0 to i1
  %csa.gate.2 = extractvalue %S %both, 1
  %csa.gate.3 = call i1 (...) @llvm.csa.all0(i1 %csa.gate.1, i1 %csa.gate.2)
  call void @llvm.csa.inord(i1 %csa.gate.3)
  call void @llvm.prefetch.p0(ptr @x, i32 1, i32 3, i32 1)
  %csa.out.3 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.0)
  store i32 1, ptr @x, align 4
  %csa.out.1 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.1)
  %s = load i32, ptr @x, align 4
  %csa.out.2 = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %csa.out.2)
  ret void
}
