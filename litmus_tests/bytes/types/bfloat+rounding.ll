; 256 + 1 is 256 as a bfloat
; REF: LLVM LangRef, Floating-Point Types; IEEE 754
; REF: LLVM LangRef, fadd instruction
; A bfloat has 8 bits of precision. The neighbour of half+rounding.
; FORALL: t0:%sum = 256.0
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global bfloat 256.0

define void @t0() {
  %x = load bfloat, ptr @x
  %sum = fadd bfloat %x, 1.0
  ret void
}
