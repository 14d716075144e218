; Read-modify-writes of a word and of one of its bytes: none is lost
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; The neighbour of rmw-word+load-store.
; EXISTS: ~(@x = 258)
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i16 0

define void @t0() {
  %old = atomicrmw add ptr @x, i16 257 monotonic, align 2
  ret void
}

define void @t1() {
  %old = atomicrmw add ptr @x, i8 1 monotonic, align 1
  ret void
}
