; IRIW: seq_cst stores, first loads acquire, second loads seq_cst: allowed since RC11
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; The original C11 forbade it, which its compilation to POWER did not guarantee.
; EXISTS: t2:%a = 1 /\ t2:%b = 0 /\ t3:%c = 1 /\ t3:%d = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y seq_cst, align 4
  ret void
}

define void @t2() {
  %a = load atomic i32, ptr @x acquire, align 4
  %b = load atomic i32, ptr @y seq_cst, align 4
  ret void
}

define void @t3() {
  %c = load atomic i32, ptr @y acquire, align 4
  %d = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
