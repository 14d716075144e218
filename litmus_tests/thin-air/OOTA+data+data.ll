; Out of thin air: no value justifies itself
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; 42 occurs in the program, but only in a location that no thread reads. Without the axiom the cycle may have
; any constant.
; EXISTS: t0:%r0 = 42 /\ t1:%r1 = 42
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0
@unrelated = global i32 42

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  store atomic i32 %r0, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %r1, ptr @x monotonic, align 4
  ret void
}
