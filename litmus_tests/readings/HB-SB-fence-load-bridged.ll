; SB with fences, bridged after the fence: filtered differs from closure
; REF: Lahav et al., PLDI 2017 (psc)
; REF: Batty et al., POPL 2011 (SB)
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; Here the pair of one thread itself is what the order of the fences needs, and filtered takes exactly that out.
; EXISTS: t0:%y = 0 /\ t1:%x = 0
; EXPECT: llvm=Never llvm/direct=Sometimes llvm/filtered=Sometimes
@x = global i32 0
@y = global i32 0
@z = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  fence seq_cst, !mmra !{!"foo", !"x"}
  %z = load i32, ptr @z
  %y = load atomic i32, ptr @y monotonic, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  fence seq_cst
  %x = load atomic i32, ptr @x monotonic, align 4
  ret void
}
