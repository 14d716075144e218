; In big-endian order the first element of a vector of i1 is the highest bit
; REF: LLVM LangRef, Vector Type
; The neighbour of bits+vector: 0b10110000.
; FORALL: t0:%byte = -80
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

target datalayout = "E-p:64:64"

@b = global i8 0

define void @t0() {
  store <8 x i1> <i1 1, i1 0, i1 1, i1 1, i1 0, i1 0, i1 0, i1 0>, ptr @b
  %byte = load i8, ptr @b
  ret void
}
