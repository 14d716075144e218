; A plain store of a byte leaves the other byte of an exchange alone
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: LLVM LangRef, Undefined Values
; The neighbour of rmw-word+na-byte: what an exchange writes does not depend on what it reads.
; FORALL: @x[0..1) = undef /\ @x[1..2) = 1 /\ t0:%old = undef
; EXPECT: llvm=Always+race amdgpu=Always+race

@x = global i16 0

define void @t0() {
  %old = atomicrmw xchg ptr @x, i16 257 monotonic, align 2
  ret void
}

define void @t1() {
  store i8 5, ptr @x
  ret void
}
