; 2^24 + 1 is no other number as a double
; REF: LLVM LangRef, Floating-Point Types; IEEE 754
; REF: LLVM LangRef, fadd instruction
; The neighbour of float+rounding.
; FORALL: t0:%bits = 4715268810125344768
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global double 16777216.0

define void @t0() {
  %x = load double, ptr @x
  %sum = fadd double %x, 1.0
  store double %sum, ptr @x
  %bits = load i64, ptr @x
  ret void
}
