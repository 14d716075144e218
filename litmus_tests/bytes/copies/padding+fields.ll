; Stores to the fields of a struct leave its padding alone
; REF: LLVM LangRef, store instruction
; REF: LLVM LangRef, Structure Type
; The neighbour of padding+struct-store.
; FORALL: t0:%field = 1 /\ t0:%padding = 7
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

%padded = type { i8, i32 }
@s = global [8 x i8] c"\07\07\07\07\07\07\07\07"

define void @t0() {
  store i8 1, ptr @s
  %f = getelementptr %padded, ptr @s, i32 0, i32 1
  store i32 2, ptr %f
  %p1 = getelementptr i8, ptr @s, i64 1
  %field = load i8, ptr @s
  %padding = load i8, ptr %p1
  ret void
}
