; Atomic sums of floats: the result depends on the order
; REF: LLVM LangRef, atomicrmw instruction
; REF: LLVM LangRef, Floating-Point Types; IEEE 754
; 2^24 + 1 - 2^24 is 0, and 2^24 - 2^24 + 1 is 1.
; EXISTS: @x = 0.0
; EXPECT: llvm=Sometimes amdgpu=Sometimes
; EXPECT: rc11=Sometimes sc=Sometimes tso=Sometimes

@x = global float 16777216.0

define void @t0() {
  %old = atomicrmw fadd ptr @x, float 1.0 monotonic, align 4
  ret void
}

define void @t1() {
  %old = atomicrmw fadd ptr @x, float -16777216.0 monotonic, align 4
  ret void
}
