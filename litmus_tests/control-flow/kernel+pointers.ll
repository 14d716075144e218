; Threads share one kernel: store buffering with the locations as arguments
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; The same code runs in both threads with other pointers.
; THREADS: t0=@kernel(ptr @x, ptr @y) t1=@kernel(ptr @y, ptr @x)
; EXISTS: t0:%seen = 0 /\ t1:%seen = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @kernel(ptr %mine, ptr %theirs) {
  store atomic i32 1, ptr %mine monotonic, align 4
  %seen = load atomic i32, ptr %theirs monotonic, align 4
  ret void
}
