; An atomic write that an atomic load reads is communication between two seq_cst fences
; REF: Lahav et al., Repairing Sequential Consistency in C/C++11, PLDI 2017, section 4 (pscF, eco)
; REF: the semantics, section 3 ("eco = (rf | mo | fr)+, all on A")
; As HB-SB-plain-between: reads-from of @z is all that leads from one fence of t0 to the other, and now it counts.
; EXISTS: t0:%y = 0 /\ t1:%x = 0
; EXPECT: llvm=Never
@x = global i32 0
@y = global i32 0
@z = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4, !mmra !{!"foo", !"x"}
  fence seq_cst, !mmra !{!"foo", !"x"}
  store atomic i32 1, ptr @z monotonic, align 4, !mmra !{!"foo", !"x"}
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
