; What memory holds at the end, by bytes: a race of one half leaves the other
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: LLVM LangRef, Undefined Values
; @x[2..4) names the bytes 2 and 3. The word is undef as a whole.
; FORALL: @x[0..2) = undef /\ @x[2..4) = 3 /\ @x = undef
; EXPECT: llvm=Always+race amdgpu=Always+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global i32 0

define void @t0() {
  store i16 1, ptr @x
  %high = getelementptr i8, ptr @x, i64 2
  store i16 3, ptr %high
  ret void
}

define void @t1() {
  store i16 2, ptr @x
  ret void
}
