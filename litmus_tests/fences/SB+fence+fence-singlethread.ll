; Fences: a seq_cst fence of scope singlethread in one thread is none beside a seq_cst fence in the other one
; REF: LLVM LangRef, syncscope of atomic operations
; REF: ISO C17, 7.17.4.2 (atomic_signal_fence)
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes c11_simp=Sometimes c11_partialSC=Sometimes tso=Sometimes sc=Never

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
  fence syncscope("singlethread") seq_cst
  %r1 = load atomic i32, ptr @x monotonic, align 4
  ret void
}
