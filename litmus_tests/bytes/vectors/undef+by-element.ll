; A vector with an element that is undef: the other one is there, an integer of both is undef
; REF: LLVM LangRef, Vector Type
; REF: LLVM LangRef, Undefined Values
; FORALL: t0:%first = 1 /\ t0:%both = undef
; EXPECT: llvm=Always amdgpu=Always

@v = global <2 x i32> zeroinitializer

define void @t0() {
  store <2 x i32> <i32 1, i32 undef>, ptr @v
  %first = load i32, ptr @v
  %both = load i64, ptr @v
  ret void
}
