; A float with more digits than its text usually has is compared exactly
; REF: LLVM LangRef, Floating-Point Types; IEEE 754
; 16777216 is 2^24.
; FORALL: t0:%x = 16777216.0 /\ ~(t0:%x = 16777217.0) /\ ~(t0:%x = 16777220.0)
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global double 16777216.0

define void @t0() {
  %x = load double, ptr @x
  ret void
}
