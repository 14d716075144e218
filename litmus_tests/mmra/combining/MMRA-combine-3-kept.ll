; Combining, example 3: keeping the tags of the tagged operation would lose an order
; REF: LLVM MMRA document, Combining Operations, third example
; The wrong merge: foo:z was ordered by the untagged release and clashes with foo:x.
; EXISTS: t1:%ab = 1 /\ (t1:%p = 0 \/ t1:%q = 0)
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
@p = global i32 0
@q = global i32 0
@ab = global i32 0
define void @t0() {
  store i32 1, ptr @p, !mmra !{!"foo", !"z"}
  store i32 1, ptr @q, !mmra !{!{!"foo", !"x"}, !{!"bar", !"y"}}
  store atomic i32 1, ptr @ab release, align 4, !mmra !{!{!"foo", !"x"}, !{!"bar", !"y"}}
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
