; Two monotonic stores of two bytes: one of them is last in both
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; The neighbour of tear-final+na: modification orders of the bytes that two atomic stores both write agree.
; EXISTS: @x = 258 \/ @x = 513
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x monotonic, align 2
  ret void
}

define void @t1() {
  store atomic i16 514, ptr @x monotonic, align 2
  ret void
}

define void @t2() {
  %byte = load atomic i8, ptr @x monotonic, align 1
  ret void
}
