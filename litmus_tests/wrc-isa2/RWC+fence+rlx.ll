; RWC: a fence in the last thread only allows it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; One notch weaker than RWC+fences. x86 keeps loads in order, so there one fence is enough.
; EXISTS: t1:%a = 1 /\ t1:%b = 0 /\ t2:%c = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  %a = load atomic i32, ptr @x monotonic, align 4
  %b = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t2() {
  store atomic i32 1, ptr @y monotonic, align 4
  fence seq_cst
  %c = load atomic i32, ptr @x monotonic, align 4
  ret void
}
