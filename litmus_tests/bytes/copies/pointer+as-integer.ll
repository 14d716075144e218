; A pointer that is loaded as an integer and made a pointer again
; REF: LLVM LangRef, inttoptr .. to Instruction
; FORALL: t0:%x = 5
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 5
@p = global ptr @x

define void @t0() {
  %n = load i64, ptr @p
  %p = inttoptr i64 %n to ptr
  %x = load i32, ptr %p
  ret void
}
