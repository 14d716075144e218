; Coherence of parts: a word is not older than a byte of it that was read before
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; The second byte cannot be old either, as the word's load does not tear.
; EXISTS: t1:%byte = 1 /\ ~(t1:%word = 257)
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x monotonic, align 2
  ret void
}

define void @t1() {
  %byte = load atomic i8, ptr @x monotonic, align 1
  %word = load atomic i16, ptr @x monotonic, align 2
  ret void
}
