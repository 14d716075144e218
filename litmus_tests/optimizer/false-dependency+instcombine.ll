; What InstCombine makes of false-dependency.ll: the value stored is known, and depends on nothing
; REF: Batty et al., The Problem of Programming Language Concurrency Semantics, ESOP 2015 (false dependencies)
; REF: LangRef, Atomic Memory Ordering Constraints: values out of thin air are excluded, dependencies are not kept
; Under the axiom dep this does not refine false-dependency.ll; under rc11, and without such an axiom, it does.
; EXISTS: t0:%r = 1 /\ t1:%s = 1
; EXPECT: llvm=Sometimes llvm/rc11=Never llvm/none=Sometimes
@x = global i32 0
@y = global i32 0

define void @t0() {
  %r = load atomic i32, ptr @x monotonic, align 4
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %s = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %s, ptr @x monotonic, align 4
  ret void
}
