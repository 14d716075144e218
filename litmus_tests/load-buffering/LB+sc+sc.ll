; Load buffering: seq_cst in both threads forbids it
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Never llvm/none=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x seq_cst, align 4
  store atomic i32 1, ptr @y seq_cst, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y seq_cst, align 4
  store atomic i32 1, ptr @x seq_cst, align 4
  ret void
}
