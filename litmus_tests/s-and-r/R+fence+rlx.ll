; R: a fence on the side of the two stores only allows it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; REF: Owens, Sarkar, Sewell: A better x86 memory model: x86-TSO, TPHOLs 2009
; The store and the load of the other thread may still be exchanged.
; EXISTS: @y = 2 /\ t1:%r = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  fence seq_cst
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 2, ptr @y monotonic, align 4
  %r = load atomic i32, ptr @x monotonic, align 4
  ret void
}
