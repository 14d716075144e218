; Atomic accesses of one thread that overlap are not mixed: program order orders them, whatever their tags
; REF: the semantics, section 8 ("two atomic accesses that may race overlap")
; REF: MMRA document, The happens-before Relation
; FORALL: @x = 513
; EXPECT: llvm=Always
@x = global i32 0
define void @t0() {
  store atomic i32 257, ptr @x monotonic, align 4, !mmra !{!"foo", !"word"}
  %p = getelementptr i8, ptr @x, i32 1
  store atomic i8 2, ptr %p monotonic, align 1, !mmra !{!"foo", !"byte"}
  ret void
}
