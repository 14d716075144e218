; A half is written, its bits are read
; REF: LLVM LangRef, Floating-Point Types; IEEE 754
; REF: ISO C11, 6.5.2.3, footnote 95: type punning
; 1.5 is 0x3e00 as a half.
; FORALL: t0:%bits = 15872
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@u = global i16 0

define void @t0() {
  store half 1.5, ptr @u
  %bits = load i16, ptr @u
  ret void
}
