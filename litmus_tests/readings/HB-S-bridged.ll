; S, bridged: which store is last in modification order depends on the reading
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014 (S)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; Happens-before from the first store of @x to the second forces modification order, hence the final value.
; EXISTS: t1:%flag = 1 /\ @x = 2
; EXPECT: llvm=Never llvm/direct=Sometimes llvm/filtered=Never
@x = global i32 0
@z = global i32 0
@flag = global i32 0
define void @t0() {
  store atomic i32 2, ptr @x monotonic, align 4, !mmra !{!"foo", !"x"}
  %z = load i32, ptr @z
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
