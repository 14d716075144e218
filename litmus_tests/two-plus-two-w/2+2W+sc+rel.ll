; 2+2W: seq_cst in one thread only allows it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; One notch weaker than 2+2W+sc+sc.
; EXISTS: @x = 1 /\ @y = 1
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4
  store atomic i32 2, ptr @y seq_cst, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y release, align 4
  store atomic i32 2, ptr @x release, align 4
  ret void
}
