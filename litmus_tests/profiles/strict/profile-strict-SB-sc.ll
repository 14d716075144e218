; strict: seq_cst accesses of two threads with clashing tags have no common order
; REF: LLVM MMRA document, Synchronization
; REF: Lahav et al., PLDI 2017 (psc)
; REF: the semantics, section 2, target profiles
; Each thread is compatible with itself; what is cut is the order between the threads.
; PROFILE: strict
; EXISTS: t0:%y = 0 /\ t1:%x = 0
; EXPECT: llvm=Sometimes llvm/direct=Sometimes llvm/filtered=Sometimes
; EXPECT: llvm@generic=Never sc=Never
@x = global i32 0
@y = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4, !mmra !{!"foo", !"x"}
  %y = load atomic i32, ptr @y seq_cst, align 4, !mmra !{!"foo", !"x"}
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y seq_cst, align 4, !mmra !{!"foo", !"y"}
  %x = load atomic i32, ptr @x seq_cst, align 4, !mmra !{!"foo", !"y"}
  ret void
}
