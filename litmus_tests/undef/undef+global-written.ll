; A global without a value is defined once a write is ordered before the load
; REF: LLVM LangRef, Undefined Values
; EXISTS: t0:%r = 3
; EXPECT: llvm=Always

@x = global i32 undef

define void @t0() {
  store i32 3, ptr @x
  %r = load i32, ptr @x
  ret void
}
