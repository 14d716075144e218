; cmpxchg: a strong one does not fail if the value is equal
; REF: LLVM LangRef, cmpxchg instruction
; The strong side of CAS+weak.
; EXISTS: t0:%old = 0 /\ t0:%won = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  %pair = cmpxchg ptr @x, i32 0, i32 1 seq_cst seq_cst, align 4
  %old = extractvalue { i32, i1 } %pair, 0
  %won = extractvalue { i32, i1 } %pair, 1
  ret void
}
