; 2+2W: seq_cst fences forbid it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; Each fence is before the other: a store after one is before a store before the other in modification order.
; EXISTS: @x = 1 /\ @y = 1
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  fence seq_cst
  store atomic i32 2, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  fence seq_cst
  store atomic i32 2, ptr @x monotonic, align 4
  ret void
}
