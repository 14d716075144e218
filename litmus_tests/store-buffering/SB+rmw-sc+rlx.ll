; Store buffering: a seq_cst read-modify-write does not order a later monotonic load
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; REF: Owens, Sarkar, Sewell: A better x86 memory model: x86-TSO, TPHOLs 2009
; No access but the read-modify-writes is seq_cst, so psc has no cycle; x86 forbids it because a locked
; instruction drains the buffer.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %old0 = atomicrmw add ptr @x, i32 1 seq_cst, align 4
  %r0 = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %old1 = atomicrmw add ptr @y, i32 1 seq_cst, align 4
  %r1 = load atomic i32, ptr @x monotonic, align 4
  ret void
}
