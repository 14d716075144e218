; A bitcast is a store and a load: four bytes are a word
; REF: LLVM LangRef, bitcast .. to instruction
; REF: LLVM LangRef, Vector Type
; 0x04030201.
; FORALL: t0:%word = 67305985 /\ t0:%bytes = <1, 2, 3, 4>
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

define void @t0() {
  %word = bitcast <4 x i8> <i8 1, i8 2, i8 3, i8 4> to i32
  %bytes = bitcast i32 %word to <4 x i8>
  ret void
}
