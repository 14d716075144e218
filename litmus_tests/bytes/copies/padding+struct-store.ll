; A store of a struct leaves undef in its padding
; REF: LLVM LangRef, store instruction
; REF: LLVM LangRef, Structure Type
; "If <value> is of aggregate type, padding is filled with undef."
; FORALL: t0:%field = 1 /\ t0:%padding = undef
; EXPECT: llvm=Always amdgpu=Always

%padded = type { i8, i32 }
@s = global [8 x i8] c"\07\07\07\07\07\07\07\07"

define void @t0() {
  store %padded { i8 1, i32 2 }, ptr @s
  %p1 = getelementptr i8, ptr @s, i64 1
  %field = load i8, ptr @s
  %padding = load i8, ptr %p1
  ret void
}
