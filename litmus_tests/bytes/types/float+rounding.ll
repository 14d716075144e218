; Sums are rounded to the type: 2^24 + 1 is 2^24 as a float
; REF: LLVM LangRef, Floating-Point Types; IEEE 754
; REF: LLVM LangRef, fadd instruction
; FORALL: t0:%bits = 1266679808
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global float 16777216.0

define void @t0() {
  %x = load float, ptr @x
  %sum = fadd float %x, 1.0
  store float %sum, ptr @x
  %bits = load i32, ptr @x
  ret void
}
