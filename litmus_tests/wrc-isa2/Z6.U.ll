; Z6.U: seq_cst accesses that are ordered only by happens-before through a weaker one: allowed since RC11
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; Store x happens before the read-modify-write, but not by way of program order on both sides; C11 forbade it,
; POWER shows it.
; EXISTS: t1:%b = 1 /\ t1:%c = 3 /\ t2:%a = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4
  store atomic i32 1, ptr @y release, align 4
  ret void
}

define void @t1() {
  %b = atomicrmw add ptr @y, i32 1 seq_cst, align 4
  %c = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t2() {
  store atomic i32 3, ptr @y seq_cst, align 4
  %a = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
