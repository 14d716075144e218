; SB with fences: a load that clashes with its fence is not ordered by it
; REF: Lahav et al., PLDI 2017 (psc)
; REF: Batty et al., POPL 2011 (SB)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; The fence of the first thread no longer precedes the load in happens-before.
; EXISTS: t0:%y = 0 /\ t1:%x = 0
; EXPECT: llvm=Sometimes llvm/direct=Sometimes llvm/filtered=Sometimes
@x = global i32 0
@y = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  fence seq_cst, !mmra !{!"foo", !"x"}
  %y = load atomic i32, ptr @y monotonic, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  fence seq_cst
  %x = load atomic i32, ptr @x monotonic, align 4
  ret void
}
