; Stores to the fields do not: the byte in the padding stays
; REF: LLVM LangRef, store instruction
; REF: LLVM LangRef, Structure Type
; The neighbour of padding+race.
; FORALL: @s[0] = 1 /\ @s[1] = 3
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

%padded = type { i8, i32 }
@s = global [8 x i8] c"\07\07\07\07\07\07\07\07"

define void @t0() {
  store i8 1, ptr @s
  %f = getelementptr %padded, ptr @s, i32 0, i32 1
  store i32 2, ptr %f
  ret void
}

define void @t1() {
  %p1 = getelementptr i8, ptr @s, i64 1
  store i8 3, ptr %p1
  ret void
}
