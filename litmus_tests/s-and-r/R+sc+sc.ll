; R: seq_cst everywhere forbids it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; psc: store x, store y, store y by modification order, load x, and back by from-reads.
; EXISTS: @y = 2 /\ t1:%r = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4
  store atomic i32 1, ptr @y seq_cst, align 4
  ret void
}

define void @t1() {
  store atomic i32 2, ptr @y seq_cst, align 4
  %r = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
