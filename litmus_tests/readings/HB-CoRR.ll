; Same-thread coherence under clashing tags: two loads do not go back in time
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014 (uniproc tests)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; Coherence takes program order of one location along with happens-before, in every reading.
; EXISTS: t1:%r0 = 1 /\ t1:%r1 = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@x = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  %r0 = load atomic i32, ptr @x monotonic, align 4, !mmra !{!"foo", !"x"}
  %r1 = load atomic i32, ptr @x monotonic, align 4, !mmra !{!"foo", !"y"}
  ret void
}
