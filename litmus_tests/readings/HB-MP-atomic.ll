; Message passing of atomic data, bridged on the writer's side: a stale 0 instead of undef
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014 (MP)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; As HB-writer-store, with monotonic data and no branch: no race anywhere.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Sometimes llvm/filtered=Never
@data = global i32 0
@z = global i32 0
@flag = global i32 0
define void @t0() {
  store atomic i32 1, ptr @data monotonic, align 4, !mmra !{!"foo", !"x"}
  store atomic i32 1, ptr @z monotonic, align 4
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %data = load atomic i32, ptr @data monotonic, align 4
  ret void
}
