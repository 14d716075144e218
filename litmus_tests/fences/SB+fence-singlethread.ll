; Fences: seq_cst fences of scope singlethread do not forbid store buffering
; REF: LLVM LangRef, syncscope of atomic operations
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; psc holds between events whose scopes include each other.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes

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
