; A cmpxchg that compares undef may succeed
; REF: LLVM LangRef, Undefined Values
; REF: LLVM LangRef, cmpxchg instruction
; Both results are explored; whether it succeeded is itself undef.
; EXISTS: ~(@x = undef) /\ t0:%won = undef
; EXPECT: llvm=Sometimes

@x = global i32 undef

define void @t0() {
  %pair = cmpxchg ptr @x, i32 0, i32 1 seq_cst seq_cst, align 4
  %won = extractvalue { i32, i1 } %pair, 1
  ret void
}
