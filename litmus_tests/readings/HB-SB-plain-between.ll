; A plain write that an atomic load reads is no communication between two seq_cst fences
; REF: Lahav et al., Repairing Sequential Consistency in C/C++11, PLDI 2017, section 4 (pscF, eco)
; REF: the semantics, section 3 ("eco = (rf | mo | fr)+, all on A")
; The fences of t0 clash, and so do the plain store and the load that reads from it: all that leads from one fence to the other is
; reads-from of an access that is not atomic. With an atomic store to @z the outcome is forbidden.
; EXISTS: t0:%y = 0 /\ t1:%x = 0
; EXPECT: llvm=Sometimes
@x = global i32 0
@y = global i32 0
@z = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4, !mmra !{!"foo", !"x"}
  fence seq_cst, !mmra !{!"foo", !"x"}
  store i32 1, ptr @z, align 4, !mmra !{!"foo", !"x"}
  %z = load atomic i32, ptr @z monotonic, align 4, !mmra !{!"foo", !"y"}
  fence seq_cst, !mmra !{!"foo", !"y"}
  %y = load atomic i32, ptr @y monotonic, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  fence seq_cst
  %x = load atomic i32, ptr @x monotonic, align 4
  ret void
}
