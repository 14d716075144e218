; Combining, example 1: the tags that the document prints lose an order
; REF: LLVM MMRA document, Combining Operations, first example
; The document prints foo:x alone, against its own rule: foo:y is gone, and the store to @q is no longer ordered.
; EXISTS: t1:%ab = 1 /\ (t1:%p = 0 \/ t1:%q = 0)
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
@p = global i32 0
@q = global i32 0
@ab = global i32 0
define void @t0() {
  store i32 1, ptr @p, !mmra !{!"bar", !"y"}
  store i32 1, ptr @q, !mmra !{!"foo", !"y"}
  store atomic i32 1, ptr @ab release, align 4, !mmra !{!"foo", !"x"}
  ret void
}

define void @t1() {
  %ab = load atomic i32, ptr @ab acquire, align 4
  %set = icmp eq i32 %ab, 1
  br i1 %set, label %read, label %done

read:
  %p = load i32, ptr @p
  %q = load i32, ptr @q
  br label %done

done:
  ret void
}
