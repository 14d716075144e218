; cmpxchg weak: it may fail although the value is equal
; REF: LLVM LangRef, cmpxchg instruction
; It then writes nothing.
; EXISTS: t0:%old = 0 /\ t0:%won = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Sometimes tso=Sometimes

@x = global i32 0

define void @t0() {
  %pair = cmpxchg weak ptr @x, i32 0, i32 1 seq_cst seq_cst, align 4
  %old = extractvalue { i32, i1 } %pair, 0
  %won = extractvalue { i32, i1 } %pair, 1
  ret void
}
