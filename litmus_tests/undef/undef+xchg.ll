; xchg on undef reads undef and writes its operand
; REF: LLVM LangRef, Undefined Values
; The operand does not depend on what was read.
; EXISTS: t0:%r = undef /\ @x = 5
; EXPECT: llvm=Always

@x = global i32 undef

define void @t0() {
  %r = atomicrmw xchg ptr @x, i32 5 seq_cst, align 4
  ret void
}
