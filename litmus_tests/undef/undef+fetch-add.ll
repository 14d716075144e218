; fetch_add on undef reads and writes undef
; REF: LLVM LangRef, Undefined Values
; EXISTS: t0:%r = undef /\ @x = undef
; EXPECT: llvm=Always

@x = global i32 undef

define void @t0() {
  %r = atomicrmw add ptr @x, i32 1 seq_cst, align 4
  ret void
}
