; Same-thread coherence under clashing tags: the second store wins
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014 (uniproc tests)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; Even filtered, which takes the pair out of happens-before, keeps it in location order.
; EXISTS: @x = 2
; EXPECT: llvm=Always llvm/direct=Always llvm/filtered=Always
@x = global i32 0
define void @t0() {
  store i32 1, ptr @x, !mmra !{!"foo", !"x"}
  store i32 2, ptr @x, !mmra !{!"foo", !"y"}
  ret void
}
