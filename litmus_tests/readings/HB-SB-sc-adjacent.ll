; SB with seq_cst accesses: a clash takes the store and the load out of the order of seq_cst operations
; REF: Lahav et al., PLDI 2017 (psc)
; REF: Batty et al., POPL 2011 (SB)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; psc takes its program order from the compatible part only.
; EXISTS: t0:%y = 0 /\ t1:%x = 0
; EXPECT: llvm=Sometimes llvm/direct=Sometimes llvm/filtered=Sometimes
; EXPECT: sc=Never
@x = global i32 0
@y = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4, !mmra !{!"foo", !"x"}
  %y = load atomic i32, ptr @y seq_cst, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y seq_cst, align 4
  %x = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
