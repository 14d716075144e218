; Load buffering, where what is stored depends on what was loaded only as far as syntax goes
; REF: Batty et al., The Problem of Programming Language Concurrency Semantics, ESOP 2015 (false dependencies)
; REF: LangRef, Atomic Memory Ordering Constraints: values out of thin air are excluded, dependencies are not kept
; InstCombine folds the "and": see false-dependency+instcombine.ll. So no model that looks at the syntax of dependencies,
; as the axiom dep does, is kept by LLVM's passes; the axiom rc11 is, where no load and later store are exchanged.
; EXISTS: t0:%r = 1 /\ t1:%s = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes
@x = global i32 0
@y = global i32 0

define void @t0() {
  %r = load atomic i32, ptr @x monotonic, align 4
  %nothing = and i32 %r, 0
  %one = or i32 %nothing, 1
  store atomic i32 %one, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %s = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %s, ptr @x monotonic, align 4
  ret void
}
