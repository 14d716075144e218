; The later byte, stored with release, brings the word that was stored before
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; The neighbour of word-then-byte+rlx.
; EXISTS: t1:%word = 2
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x monotonic, align 2
  store atomic i8 2, ptr @x release, align 1
  ret void
}

define void @t1() {
  %word = load atomic i16, ptr @x acquire, align 2
  ret void
}
