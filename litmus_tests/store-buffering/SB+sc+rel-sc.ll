; Store buffering: one store weakened from seq_cst to release allows it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; The cycle of psc needs every access on it to be seq_cst: one notch weaker than SB+sc+sc.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4
  %r0 = load atomic i32, ptr @y seq_cst, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y release, align 4
  %r1 = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
