; Unordered accesses never see undef: a load returns one of the values stored
; REF: LLVM LangRef, Atomic Memory Ordering Constraints (unordered)
; The strong side of undef+race-unordered.
; FORALL: t1:%r = 0 \/ t1:%r = 1
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x unordered, align 4
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @x unordered, align 4
  ret void
}
