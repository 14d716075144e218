; An integer of 24 bits covers three bytes: the fourth belongs to who wants it
; REF: LLVM LangRef, store instruction
; Another thread writes the byte behind it.
; FORALL: @x[0..3) = -2 /\ @x[3..4) = 9
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0

define void @t0() {
  store i24 -2, ptr @x, align 4
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @x, i64 3
  store i8 9, ptr %p
  ret void
}
