; A bitcast in big-endian order: the first byte is the highest one
; REF: LLVM LangRef, bitcast .. to instruction
; REF: LLVM LangRef, Vector Type
; The neighbour of bitcast+vector: 0x01020304.
; FORALL: t0:%word = 16909060 /\ t0:%bytes = <1, 2, 3, 4>
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

target datalayout = "E-p:64:64"

define void @t0() {
  %word = bitcast <4 x i8> <i8 1, i8 2, i8 3, i8 4> to i32
  %bytes = bitcast i32 %word to <4 x i8>
  ret void
}
