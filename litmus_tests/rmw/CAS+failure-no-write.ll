; cmpxchg: a failed one writes nothing
; REF: LLVM LangRef, cmpxchg instruction
; The reader sees the initial value.
; EXISTS: t1:%r = 3
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  %pair = cmpxchg ptr @x, i32 2, i32 3 seq_cst seq_cst, align 4
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @x monotonic, align 4
  ret void
}
