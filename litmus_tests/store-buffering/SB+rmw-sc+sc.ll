; Store buffering: seq_cst read-modify-writes and seq_cst loads forbid it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; REF: Owens, Sarkar, Sewell: A better x86 memory model: x86-TSO, TPHOLs 2009
; The strong side of SB+rmw-sc+rlx.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %old0 = atomicrmw add ptr @x, i32 1 seq_cst, align 4
  %r0 = load atomic i32, ptr @y seq_cst, align 4
  ret void
}

define void @t1() {
  %old1 = atomicrmw add ptr @y, i32 1 seq_cst, align 4
  %r1 = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
