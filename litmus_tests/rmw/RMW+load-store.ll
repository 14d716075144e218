; A load and a store are no read-modify-write: an increment may be lost
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; Even under sequential consistency.
; EXISTS: @x = 1
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Sometimes tso=Sometimes

@x = global i32 0

define void @t0() {
  %r = load atomic i32, ptr @x seq_cst, align 4
  %next = add i32 %r, 1
  store atomic i32 %next, ptr @x seq_cst, align 4
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @x seq_cst, align 4
  %next = add i32 %r, 1
  store atomic i32 %next, ptr @x seq_cst, align 4
  ret void
}
