; A load and a store of the word lose the byte that is stored in between
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The neighbour of rmw-word+byte.
; EXISTS: @x = 257
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Sometimes sc=Sometimes tso=Sometimes

@x = global i16 0

define void @t0() {
  %old = load atomic i16, ptr @x monotonic, align 2
  %new = add i16 %old, 257
  store atomic i16 %new, ptr @x monotonic, align 2
  ret void
}

define void @t1() {
  store atomic i8 5, ptr @x monotonic, align 1
  ret void
}
