; IRIW: a fence in one reader only allows it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; One notch weaker than IRIW+fences.
; EXISTS: t2:%a = 1 /\ t2:%b = 0 /\ t3:%c = 1 /\ t3:%d = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x release, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y release, align 4
  ret void
}

define void @t2() {
  %a = load atomic i32, ptr @x acquire, align 4
  fence seq_cst
  %b = load atomic i32, ptr @y acquire, align 4
  ret void
}

define void @t3() {
  %c = load atomic i32, ptr @y acquire, align 4
  %d = load atomic i32, ptr @x acquire, align 4
  ret void
}
