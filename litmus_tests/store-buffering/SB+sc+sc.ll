; Store buffering: seq_cst everywhere forbids it
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; psc: each store is before its load in program order, and each load is before the other store by from-reads.
; The tso model looks at accesses as they stand, without the xchg that a compiler emits for a seq_cst store.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: rc11=Never sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4
  %r0 = load atomic i32, ptr @y seq_cst, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y seq_cst, align 4
  %r1 = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
