; An integer of 32 bits covers the fourth byte
; REF: LLVM LangRef, store instruction
; The neighbour of i24+beside.
; FORALL: @x[0..3) = -2 /\ @x[3..4) = undef
; EXPECT: llvm=Always+race amdgpu=Always+race

@x = global i32 0

define void @t0() {
  store i32 -2, ptr @x, align 4
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @x, i64 3
  store i8 9, ptr %p
  ret void
}
