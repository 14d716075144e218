; An atomic store of a byte comes before or after a read-modify-write of the word
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; Between its read and its write there is no room.
; EXISTS: ~(@x = 261 \/ @x = 262)
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i16 0

define void @t0() {
  %old = atomicrmw add ptr @x, i16 257 monotonic, align 2
  ret void
}

define void @t1() {
  store atomic i8 5, ptr @x monotonic, align 1
  ret void
}
