; An acquire load of the first byte takes the second one along
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; The neighbour of tear+rlx-by-bytes: the first load reads a part of a release store and so acquires all of it.
; EXISTS: t1:%first = 1 /\ t1:%second = 0
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x release, align 2
  ret void
}

define void @t1() {
  %first = load atomic i8, ptr @x acquire, align 1
  %p = getelementptr i8, ptr @x, i64 1
  %second = load atomic i8, ptr %p monotonic, align 1
  ret void
}
