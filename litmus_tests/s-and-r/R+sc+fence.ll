; R: seq_cst stores in one thread and a fence in the other forbid it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; psc relates fences and accesses.
; EXISTS: @y = 2 /\ t1:%r = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4
  store atomic i32 1, ptr @y seq_cst, align 4
  ret void
}

define void @t1() {
  store atomic i32 2, ptr @y monotonic, align 4
  fence seq_cst
  %r = load atomic i32, ptr @x monotonic, align 4
  ret void
}
