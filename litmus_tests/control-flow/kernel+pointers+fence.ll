; Threads share one kernel: store buffering with a fence in the kernel
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; The strong side of kernel+pointers.
; THREADS: t0=@kernel(ptr @x, ptr @y) t1=@kernel(ptr @y, ptr @x)
; EXISTS: t0:%seen = 0 /\ t1:%seen = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @kernel(ptr %mine, ptr %theirs) {
  store atomic i32 1, ptr %mine monotonic, align 4
  fence seq_cst
  %seen = load atomic i32, ptr %theirs monotonic, align 4
  ret void
}
