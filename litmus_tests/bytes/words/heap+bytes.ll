; Memory of malloc by bytes: half a word is written, the word is undef
; REF: ISO C11, 7.22.3.4: malloc
; REF: LLVM LangRef, Undefined Values
; FORALL: t0:%half = 7 /\ t0:%word = undef
; EXPECT: llvm=Always amdgpu=Always

define void @t0() {
  %m = call ptr @malloc(i64 8)
  store i16 7, ptr %m
  %half = load i16, ptr %m
  %word = load i32, ptr %m
  ret void
}

declare ptr @malloc(i64)
