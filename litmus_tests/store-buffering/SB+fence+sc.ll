; Store buffering: a seq_cst fence in one thread and seq_cst accesses in the other forbid it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; psc relates fences and seq_cst accesses to each other. x86 needs a fence, or a locked instruction, in both
; threads.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  fence seq_cst
  %r0 = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y seq_cst, align 4
  %r1 = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
