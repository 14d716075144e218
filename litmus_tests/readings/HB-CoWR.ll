; Same-thread coherence does not need happens-before: a plain load sees the incompatible store before it
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014 (uniproc tests)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; Location order holds program order of one location, whatever the tags say.
; EXISTS: t0:%r = 1
; EXPECT: llvm=Always llvm/direct=Always llvm/filtered=Always
@x = global i32 0
define void @t0() {
  store i32 1, ptr @x, !mmra !{!"foo", !"x"}
  %r = load i32, ptr @x, !mmra !{!"foo", !"y"}
  ret void
}
