; Fences: seq_cst fences of scope singlethread do not forbid store buffering
; REF: LLVM LangRef, syncscope of atomic operations
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; REF: ISO C17, 7.17.4.2 (atomic_signal_fence)
; psc holds between events whose scopes include each other; for C and x86 a fence of scope singlethread is no fence between threads at all.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes c11_simp=Sometimes c11_partialSC=Sometimes tso=Sometimes sc=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  fence syncscope("singlethread") seq_cst
  %r0 = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  fence syncscope("singlethread") seq_cst
  %r1 = load atomic i32, ptr @x monotonic, align 4
  ret void
}
