; W+RWC: two seq_cst fences and a synchronization forbid it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; The fence of t2 is before that of t1: its load misses a store that happens before t1's fence.
; EXISTS: t1:%a = 1 /\ t1:%b = 0 /\ t2:%c = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0
@z = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  store atomic i32 1, ptr @y release, align 4
  ret void
}

define void @t1() {
  %a = load atomic i32, ptr @y acquire, align 4
  fence seq_cst
  %b = load atomic i32, ptr @z monotonic, align 4
  ret void
}

define void @t2() {
  store atomic i32 1, ptr @z monotonic, align 4
  fence seq_cst
  %c = load atomic i32, ptr @x monotonic, align 4
  ret void
}
