; Stores of single bytes: memory holds a byte of each thread
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The neighbour of tear-final+rlx. All atomic accesses are of one byte, so that mixed-atomics is not raised.
; EXISTS: @x = 258
; EXPECT: llvm=Sometimes amdgpu=Sometimes
; EXPECT: rc11=Sometimes sc=Sometimes tso=Sometimes

@x = global i16 0

define void @t0() {
  %p = getelementptr i8, ptr @x, i64 1
  store atomic i8 1, ptr @x monotonic, align 1
  store atomic i8 1, ptr %p monotonic, align 1
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @x, i64 1
  store atomic i8 2, ptr @x monotonic, align 1
  store atomic i8 2, ptr %p monotonic, align 1
  ret void
}
