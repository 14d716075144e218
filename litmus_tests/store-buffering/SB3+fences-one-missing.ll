; Store buffering among three threads: one missing fence opens the ring
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; One notch weaker than SB3+fences.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0 /\ t2:%r2 = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0
@z = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  fence seq_cst
  %r0 = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  fence seq_cst
  %r1 = load atomic i32, ptr @z monotonic, align 4
  ret void
}

define void @t2() {
  store atomic i32 1, ptr @z monotonic, align 4
  %r2 = load atomic i32, ptr @x monotonic, align 4
  ret void
}
