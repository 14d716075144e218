; 2048 + 1 is 2048 as a half, and 65504 + 32 is infinity
; REF: LLVM LangRef, Floating-Point Types; IEEE 754
; REF: LLVM LangRef, fadd instruction
; The largest half is 65504; infinity has the bits 0x7c00.
; FORALL: t0:%sum = 2048.0 /\ t0:%bits = 31744
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global half 2048.0
@y = global half 65504.0

define void @t0() {
  %x = load half, ptr @x
  %sum = fadd half %x, 1.0
  %y = load half, ptr @y
  %big = fadd half %y, 32.0
  store half %big, ptr @y
  %bits = load i16, ptr @y
  ret void
}
