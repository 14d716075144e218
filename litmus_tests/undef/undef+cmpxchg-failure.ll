; A cmpxchg that compares undef may fail
; REF: LLVM LangRef, Undefined Values
; REF: LLVM LangRef, cmpxchg instruction
; The other side of undef+cmpxchg-success: nothing is written.
; EXISTS: @x = undef /\ t0:%won = undef
; EXPECT: llvm=Sometimes

@x = global i32 undef

define void @t0() {
  %pair = cmpxchg ptr @x, i32 0, i32 1 seq_cst seq_cst, align 4
  %won = extractvalue { i32, i1 } %pair, 1
  ret void
}
