; A plain store of a byte makes all that a read-modify-write of the word computes undef
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: LLVM LangRef, Undefined Values
; What it reads is undef in one byte, hence as a whole, and so is the sum that it writes.
; FORALL: @x[1..2) = undef
; EXPECT: llvm=Always+race amdgpu=Always+race

@x = global i16 0

define void @t0() {
  %old = atomicrmw add ptr @x, i16 257 monotonic, align 2
  ret void
}

define void @t1() {
  store i8 5, ptr @x
  ret void
}
