; A byte with the sign bit is stored into a float
; REF: LLVM LangRef, Floating-Point Types; IEEE 754
; The byte 3 of 1.0 is 0x3f; with 0xbf it is -1.0.
; FORALL: t0:%f = -1.0
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@u = global float 1.0

define void @t0() {
  %p = getelementptr i8, ptr @u, i64 3
  store i8 -65, ptr %p
  %f = load float, ptr @u
  ret void
}
