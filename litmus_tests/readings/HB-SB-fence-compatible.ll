; SB with fences: with tags in common the fences forbid the weak outcome
; REF: Lahav et al., PLDI 2017 (psc)
; REF: Batty et al., POPL 2011 (SB)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; The twin of HB-SB-fence-adjacent on the safe side of the line.
; EXISTS: t0:%y = 0 /\ t1:%x = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@x = global i32 0
@y = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  fence seq_cst, !mmra !{!"foo", !"x"}
  %y = load atomic i32, ptr @y monotonic, align 4, !mmra !{!{!"foo", !"x"}, !{!"foo", !"y"}}
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  fence seq_cst
  %x = load atomic i32, ptr @x monotonic, align 4
  ret void
}
