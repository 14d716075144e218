; A stack slot of which one byte was not written: the word is undef, the other bytes are not
; REF: LLVM LangRef, alloca instruction
; REF: LLVM LangRef, Undefined Values
; FORALL: t0:%word = undef /\ t0:%half = 1
; EXPECT: llvm=Always amdgpu=Always

define void @t0() {
  %slot = alloca i32
  store i16 1, ptr %slot
  %p2 = getelementptr i8, ptr %slot, i64 2
  store i8 1, ptr %p2
  %word = load i32, ptr %slot
  %half = load i16, ptr %slot
  ret void
}
