; Store buffering: a fence in one thread only allows it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; REF: Owens, Sarkar, Sewell: A better x86 memory model: x86-TSO, TPHOLs 2009
; Two fences are needed to order each other.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  fence seq_cst
  %r0 = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  %r1 = load atomic i32, ptr @x monotonic, align 4
  ret void
}
