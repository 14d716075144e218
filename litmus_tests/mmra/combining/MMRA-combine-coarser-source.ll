; Combining is coarse: neither of the two releases orders this store
; REF: LLVM MMRA document, Combining Operations, first example
; foo:y goes with the first release only, bar:y with the second only.
; EXISTS: t1:%a = 1 /\ t1:%b = 1 /\ t1:%p = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
@p = global i32 0
@a = global i32 0
@b = global i32 0
define void @t0() {
  store i32 1, ptr @p, !mmra !{!{!"foo", !"y"}, !{!"bar", !"y"}}
  store atomic i32 1, ptr @a release, align 4, !mmra !{!{!"foo", !"x"}, !{!"foo", !"y"}, !{!"bar", !"x"}}
  store atomic i32 1, ptr @b release, align 4, !mmra !{!{!"foo", !"x"}, !{!"bar", !"y"}}
  ret void
}

define void @t1() {
  %a = load atomic i32, ptr @a acquire, align 4
  %b = load atomic i32, ptr @b acquire, align 4
  %sum = add i32 %a, %b
  %set = icmp eq i32 %sum, 2
  br i1 %set, label %read, label %done

read:
  %p = load i32, ptr @p
  br label %done

done:
  ret void
}
