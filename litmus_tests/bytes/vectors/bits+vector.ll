; A vector of eight i1 is one byte, its first element the lowest bit
; REF: LLVM LangRef, Vector Type
; The bits 1, 0, 1, 1 from the lowest on are 13.
; FORALL: t0:%byte = 13
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@b = global i8 0

define void @t0() {
  store <8 x i1> <i1 1, i1 0, i1 1, i1 1, i1 0, i1 0, i1 0, i1 0>, ptr @b
  %byte = load i8, ptr @b
  ret void
}
