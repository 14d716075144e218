; Same-thread coherence under clashing tags: a load does not see a later store of its thread
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014 (uniproc tests)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; The store is after the load in location order, bridged or not.
; EXISTS: t0:%r = 1
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@x = global i32 0
@z = global i32 0
define void @t0() {
  %r = load i32, ptr @x, !mmra !{!"foo", !"x"}
  store i32 1, ptr @z
  store i32 1, ptr @x, !mmra !{!"foo", !"y"}
  ret void
}
