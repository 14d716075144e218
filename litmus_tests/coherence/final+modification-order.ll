; Final values: of concurrent atomic writes any may be last in modification order
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; Memory holds one of the two written values, and never undef.
; FORALL: @x = 1 \/ @x = 2
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 2, ptr @x monotonic, align 4
  ret void
}
