; CoRW2: concurrent unordered writes leave undef in memory
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: LLVM LangRef, Atomic Memory Ordering Constraints (unordered)
; There is no race; but no modification order says which write is last.
; EXISTS: t0:%r = 2 /\ @x = 2
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  %r = load atomic i32, ptr @x unordered, align 4
  store atomic i32 1, ptr @x unordered, align 4
  ret void
}

define void @t1() {
  store atomic i32 2, ptr @x unordered, align 4
  ret void
}
