; RWC: seq_cst fences forbid it, the first store being monotonic
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; C11 allowed it, since its fences were too weak for stores of other threads; RC11 repaired this.
; EXISTS: t1:%a = 1 /\ t1:%b = 0 /\ t2:%c = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  %a = load atomic i32, ptr @x monotonic, align 4
  fence seq_cst
  %b = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t2() {
  store atomic i32 1, ptr @y monotonic, align 4
  fence seq_cst
  %c = load atomic i32, ptr @x monotonic, align 4
  ret void
}
