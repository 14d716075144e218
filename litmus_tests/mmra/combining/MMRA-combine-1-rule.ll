; Combining, example 1: the tags of the rule order what the two releases ordered
; REF: LLVM MMRA document, Combining Operations, first example
; foo and bar are on both sides, so the rule keeps all their tags: foo:x, foo:y, bar:x, bar:y.
; EXISTS: t1:%ab = 1 /\ (t1:%p = 0 \/ t1:%q = 0)
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@p = global i32 0
@q = global i32 0
@ab = global i32 0
define void @t0() {
  store i32 1, ptr @p, !mmra !{!"bar", !"y"}
  store i32 1, ptr @q, !mmra !{!"foo", !"y"}
  store atomic i32 1, ptr @ab release, align 4, !mmra !{!{!"foo", !"x"}, !{!"foo", !"y"}, !{!"bar", !"x"}, !{!"bar", !"y"}}
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
