; SB with seq_cst accesses: two untagged loads in between order them again, in every reading
; REF: Lahav et al., PLDI 2017 (psc)
; REF: Batty et al., POPL 2011 (SB)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; The two loads are compatible with each other, so even direct and filtered have the middle part.
; EXISTS: t0:%y = 0 /\ t1:%x = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@x = global i32 0
@y = global i32 0
@z = global i32 0
@w = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4, !mmra !{!"foo", !"x"}
  %z = load i32, ptr @z
  %w = load i32, ptr @w
  %y = load atomic i32, ptr @y seq_cst, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y seq_cst, align 4
  %x = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
