; Two concurrent unordered stores leave undef in memory, without a race
; REF: LLVM LangRef, Atomic Memory Ordering Constraints (unordered)
; Modification order covers monotonic and stronger stores only.
; EXISTS: @x = undef
; EXPECT: llvm=Always
; EXPECT: rc11=Never

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x unordered, align 4
  ret void
}

define void @t1() {
  store atomic i32 2, ptr @x unordered, align 4
  ret void
}
