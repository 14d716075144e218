; Two seq_cst stores to one location: an acquire load reads the later one, and both seq_cst loads still read zero
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing Sequential Consistency in C/C++11, PLDI 2017 (the order of seq_cst)
; EXISTS: t0:%a = 2 /\ t0:%b = 0 /\ t2:%c = 0
; EXPECT: llvm=Sometimes amdgpu=Sometimes
@x = global i32 0
@y = global i32 0

define void @t0() {
  %a = load atomic i32, ptr @x acquire, align 4
  %b = load atomic i32, ptr @y seq_cst, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @x seq_cst, align 4
  store atomic i32 2, ptr @x seq_cst, align 4
  ret void
}

define void @t2() {
  store atomic i32 1, ptr @y seq_cst, align 4
  %c = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
