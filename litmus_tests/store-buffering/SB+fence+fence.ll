; Store buffering: a seq_cst fence in both threads forbids it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; psc orders each fence before the other one, through the load that missed the other store.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

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
  fence seq_cst
  %r1 = load atomic i32, ptr @x monotonic, align 4
  ret void
}
