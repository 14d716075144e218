; Memory that starts undefined: half of a word is there once it is written, the word is not
; REF: LLVM LangRef, Undefined Values
; As local memory of a kernel starts.
; FORALL: t0:%half = 7 /\ t0:%word = undef
; EXPECT: llvm=Always amdgpu=Always

@x = global i32 poison

define void @t0() {
  store i16 7, ptr @x
  %half = load i16, ptr @x
  %word = load i32, ptr @x
  ret void
}
