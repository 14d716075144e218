; strict: seq_cst fences of two threads with clashing tags have no common order
; REF: LLVM MMRA document, Synchronization
; REF: Lahav et al., PLDI 2017 (psc)
; REF: the semantics, section 2, target profiles
; The accesses have no tags.
; PROFILE: strict
; EXISTS: t0:%y = 0 /\ t1:%x = 0
; EXPECT: llvm=Sometimes llvm/direct=Sometimes llvm/filtered=Sometimes
; EXPECT: llvm@generic=Never
@x = global i32 0
@y = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  fence seq_cst, !mmra !{!"foo", !"x"}
  %y = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  fence seq_cst, !mmra !{!"foo", !"y"}
  %x = load atomic i32, ptr @x monotonic, align 4
  ret void
}
