; Bits are written, a float is read
; REF: LLVM LangRef, Floating-Point Types; IEEE 754
; The other side of union+float-published: 0x40400000 is 3.0.
; FORALL: t0:%f = 3.0
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@u = global i32 0

define void @t0() {
  store i32 1077936128, ptr @u
  %f = load float, ptr @u
  ret void
}
