; The empty set is compatible with everything: an untagged release
; REF: LLVM MMRA document, Definitions, compatibility
; Two stores that clash with each other are both ordered by a release without tags.
; EXISTS: t1:%flag = 1 /\ (t1:%a = 0 \/ t1:%b = 0)
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@a = global i32 0
@b = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @a, !mmra !{!"foo", !"x"}
  store i32 1, ptr @b, !mmra !{!"foo", !"y"}
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %a = load i32, ptr @a, !mmra !{!"foo", !"x"}
  %b = load i32, ptr @b, !mmra !{!"foo", !"y"}
  br label %done

done:
  ret void
}
