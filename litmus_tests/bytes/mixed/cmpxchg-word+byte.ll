; A cmpxchg of the word succeeds before a store to one of its bytes, or fails after it
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; It compares both bytes at one point of time.
; EXISTS: (t0:%won = 1 /\ ~(@x = 1793)) \/ (t0:%won = 0 /\ ~(@x = 1792))
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i16 0

define void @t0() {
  %pair = cmpxchg ptr @x, i16 0, i16 257 monotonic monotonic, align 2
  %won = extractvalue { i16, i1 } %pair, 1
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @x, i64 1
  store atomic i8 7, ptr %p monotonic, align 1
  ret void
}
