; The same with monotonic stores: memory holds one of the two halves
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The neighbour of final+by-bytes.
; FORALL: (@x[0..2) = 1 \/ @x[0..2) = 2) /\ @x[2..4) = 3 /\ (@x = 196609 \/ @x = 196610)
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0

define void @t0() {
  store atomic i16 1, ptr @x monotonic, align 2
  %high = getelementptr i8, ptr @x, i64 2
  store i16 3, ptr %high
  ret void
}

define void @t1() {
  store atomic i16 2, ptr @x monotonic, align 2
  ret void
}
