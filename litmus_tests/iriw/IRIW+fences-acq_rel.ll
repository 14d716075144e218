; IRIW: acq_rel fences between the loads are too weak
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; EXISTS: t2:%a = 1 /\ t2:%b = 0 /\ t3:%c = 1 /\ t3:%d = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

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
  fence acq_rel
  %b = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t3() {
  %c = load atomic i32, ptr @y monotonic, align 4
  fence acq_rel
  %d = load atomic i32, ptr @x monotonic, align 4
  ret void
}
