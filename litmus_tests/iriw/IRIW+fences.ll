; IRIW: seq_cst fences between the loads make readers agree
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; psc relates the two fences by from-reads followed by reads-from.
; EXISTS: t2:%a = 1 /\ t2:%b = 0 /\ t3:%c = 1 /\ t3:%d = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t2() {
  %a = load atomic i32, ptr @x monotonic, align 4
  fence seq_cst
  %b = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t3() {
  %c = load atomic i32, ptr @y monotonic, align 4
  fence seq_cst
  %d = load atomic i32, ptr @x monotonic, align 4
  ret void
}
