; A word that is read after a store to one of its bytes has this byte or a later one
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; A store of the word by another thread may come before or after the byte, in both bytes or in none.
; EXISTS: ~(t1:%word = 5 \/ t1:%word = 261 \/ t1:%word = 257)
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x monotonic, align 2
  ret void
}

define void @t1() {
  store atomic i8 5, ptr @x monotonic, align 1
  %word = load atomic i16, ptr @x monotonic, align 2
  ret void
}
