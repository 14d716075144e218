; Load buffering: even a seq_cst fence in one thread only allows it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; In psc a fence is ordered with other seq_cst events only.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Sometimes llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  fence seq_cst
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
