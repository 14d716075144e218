; Atomic sums of integers: the result does not depend on the order
; REF: LLVM LangRef, atomicrmw instruction
; The neighbour of float+order-of-sums.
; EXISTS: ~(@x = 1)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 16777216

define void @t0() {
  %old = atomicrmw add ptr @x, i32 1 monotonic, align 4
  ret void
}

define void @t1() {
  %old = atomicrmw add ptr @x, i32 -16777216 monotonic, align 4
  ret void
}
