; strict: seq_cst accesses of two threads with a tag in common are in one order
; REF: LLVM MMRA document, Synchronization
; REF: Lahav et al., PLDI 2017 (psc)
; REF: the semantics, section 2, target profiles
; The twin of profile-strict-SB-sc on the safe side of the line.
; PROFILE: strict
; EXISTS: t0:%y = 0 /\ t1:%x = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@generic=Never sc=Never
@x = global i32 0
@y = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4, !mmra !{!"foo", !"x"}
  %y = load atomic i32, ptr @y seq_cst, align 4, !mmra !{!"foo", !"x"}
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y seq_cst, align 4, !mmra !{!{!"foo", !"x"}, !{!"foo", !"y"}}
  %x = load atomic i32, ptr @x seq_cst, align 4, !mmra !{!{!"foo", !"x"}, !{!"foo", !"y"}}
  ret void
}
