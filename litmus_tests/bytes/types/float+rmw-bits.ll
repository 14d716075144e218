; An atomic sum of floats, its bits read as an integer by another thread
; REF: LLVM LangRef, atomicrmw instruction
; REF: LLVM LangRef, Floating-Point Types; IEEE 754
; 0.0, or the 2.0 that the sum writes: 0x40000000. Accesses of one size, so that mixed-atomics is not raised.
; EXISTS: ~(t1:%bits = 0 \/ t1:%bits = 1073741824)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global float 0.0

define void @t0() {
  %old = atomicrmw fadd ptr @x, float 2.0 monotonic, align 4
  ret void
}

define void @t1() {
  %bits = load atomic i32, ptr @x monotonic, align 4
  ret void
}
