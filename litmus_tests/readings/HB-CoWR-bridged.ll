; Same-thread coherence with an untagged fence between clashing accesses of one location
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014 (uniproc tests)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; filtered takes the closure's pair out of happens-before; the stale value stays impossible.
; EXISTS: t0:%r = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@x = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4, !mmra !{!"foo", !"x"}
  fence seq_cst
  %r = load atomic i32, ptr @x monotonic, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  store atomic i32 2, ptr @x monotonic, align 4
  ret void
}
