; Two seq_cst fences that synchronize are in the order of seq_cst operations, whatever stands beside them
; REF: Lahav et al., Repairing Sequential Consistency in C/C++11, PLDI 2017, section 4 (pscF)
; REF: MMRA document, The happens-before Relation
; Store buffering of @x in t1 and @y in t0, against t2. The store of @x happens before the fence of t0, that before the fence of t1,
; and that before the load of @y. In the reading filtered nothing else is left: the store and the fence of t1 clash, and so do the
; fence and the load of t0, and the accesses of @link and both fences.
; EXISTS: t0:%turn = 1 /\ t1:%link = 1 /\ t0:%back = 1 /\ t0:%y = 0 /\ t2:%x = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@x = global i32 0
@y = global i32 0
@turn = global i32 0
@link = global i32 0
@back = global i32 0
define void @t0() {
  %turn = load atomic i32, ptr @turn acquire, align 4
  fence seq_cst, !mmra !{!"foo", !"t0"}
  store atomic i32 1, ptr @link monotonic, align 4, !mmra !{!"foo", !"link"}
  %back = load atomic i32, ptr @back acquire, align 4
  %y = load atomic i32, ptr @y monotonic, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @x monotonic, align 4, !mmra !{!"foo", !"x"}
  store atomic i32 1, ptr @turn release, align 4
  %link = load atomic i32, ptr @link monotonic, align 4, !mmra !{!"foo", !"link"}
  fence seq_cst, !mmra !{!"foo", !"t1"}
  store atomic i32 1, ptr @back monotonic, align 4
  ret void
}

define void @t2() {
  store atomic i32 1, ptr @y monotonic, align 4
  fence seq_cst
  %x = load atomic i32, ptr @x monotonic, align 4
  ret void
}
