; A monotonic store of two bytes is seen as a whole
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; The neighbour of tear+na: a word has either both bytes of the store or neither. The byte of the third thread divides
; the word, and is why the flag mixed-atomics is raised.
; EXISTS: t1:%word = 1 \/ t1:%word = 256
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x monotonic, align 2
  ret void
}

define void @t1() {
  %word = load atomic i16, ptr @x monotonic, align 2
  ret void
}

define void @t2() {
  %byte = load atomic i8, ptr @x monotonic, align 1
  ret void
}
