; Store buffering, unordered: no race, and no order either
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: LLVM LangRef, Atomic Memory Ordering Constraints (unordered)
; Unordered accesses return written values only, but two different locations are not ordered.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x unordered, align 4
  %r0 = load atomic i32, ptr @y unordered, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y unordered, align 4
  %r1 = load atomic i32, ptr @x unordered, align 4
  ret void
}
