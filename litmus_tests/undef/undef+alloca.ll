; Memory of alloca is undef until it is written
; REF: LLVM LangRef, Undefined Values
; REF: LLVM LangRef, alloca instruction
; EXISTS: t0:%before = undef /\ t0:%after = 3
; EXPECT: llvm=Always


define void @t0() {
  %buffer = alloca i32
  %before = load i32, ptr %buffer
  store i32 3, ptr %buffer
  %after = load i32, ptr %buffer
  ret void
}
