; The second half of a double has its sign and exponent
; REF: LLVM LangRef, Floating-Point Types; IEEE 754
; 1.0 is 0x3ff0000000000000.
; FORALL: t0:%high = 1072693248 /\ t0:%low = 0
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@u = global double 0.0

define void @t0() {
  store double 1.0, ptr @u
  %p = getelementptr i8, ptr @u, i64 4
  %low = load i32, ptr @u
  %high = load i32, ptr %p
  ret void
}
