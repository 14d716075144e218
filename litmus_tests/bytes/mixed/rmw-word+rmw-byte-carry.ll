; A carry goes with the word, and not with the byte
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; The word is 255 at first. Adding 1 to the word carries into byte 1; adding 1 to the byte does not.
; FORALL: @x = 1 \/ @x = 257
; EXPECT: llvm=Always+mixed-atomics amdgpu=Always+mixed-atomics
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i16 255

define void @t0() {
  %old = atomicrmw add ptr @x, i16 1 monotonic, align 2
  ret void
}

define void @t1() {
  %old = atomicrmw add ptr @x, i8 1 monotonic, align 1
  ret void
}
