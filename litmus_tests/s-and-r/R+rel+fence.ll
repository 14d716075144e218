; R: a release store and a fence in the other thread allow it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; Nothing reads from the release. x86 forbids it: its stores are ordered and the fence drains the buffer.
; EXISTS: @y = 2 /\ t1:%r = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  store atomic i32 1, ptr @y release, align 4
  ret void
}

define void @t1() {
  store atomic i32 2, ptr @y monotonic, align 4
  fence seq_cst
  %r = load atomic i32, ptr @x monotonic, align 4
  ret void
}
