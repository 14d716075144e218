; SB with seq_cst accesses: one untagged load in between is not enough, in no reading
; REF: Lahav et al., PLDI 2017 (psc)
; REF: Batty et al., POPL 2011 (SB)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; psc takes a compatible step to another location, then happens-before, then such a step again: that needs two
; operations in between.
; EXISTS: t0:%y = 0 /\ t1:%x = 0
; EXPECT: llvm=Sometimes llvm/direct=Sometimes llvm/filtered=Sometimes
@x = global i32 0
@y = global i32 0
@z = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4, !mmra !{!"foo", !"x"}
  %z = load i32, ptr @z
  %y = load atomic i32, ptr @y seq_cst, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y seq_cst, align 4
  %x = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
