; Fences that would happen before each other: no order of the accesses forbids it, as all tags clash
; REF: MMRA document, The happens-before Relation
; REF: the semantics, section 3, axiom 1 (happens-before is irreflexive)
; Each fence synchronizes with the other, whatever the tags of the accesses beside it; a load does not happen before the store
; behind it.
; EXISTS: t0:%x = 1 /\ t1:%y = 1
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@x = global i32 0
@y = global i32 0
define void @t0() {
  %x = load atomic i32, ptr @x monotonic, align 4, !mmra !{!"foo", !"load"}
  fence acq_rel, !mmra !{!"foo", !"fence"}
  store atomic i32 1, ptr @y monotonic, align 4, !mmra !{!"foo", !"store"}
  ret void
}

define void @t1() {
  %y = load atomic i32, ptr @y monotonic, align 4, !mmra !{!"foo", !"load"}
  fence acq_rel, !mmra !{!"foo", !"fence"}
  store atomic i32 1, ptr @x monotonic, align 4, !mmra !{!"foo", !"store"}
  ret void
}
