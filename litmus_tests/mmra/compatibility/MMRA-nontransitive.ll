; Compatibility is not transitive: {x} and {y} clash, though {x, y} goes with both
; REF: LLVM MMRA document, Definitions, compatibility
; The reader synchronizes with the last release. Whether the chain through the middle one counts is a matter of
; reading.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Sometimes+race llvm/filtered=Never
@data = global i32 0
@mid = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"foo", !"x"}
  store atomic i32 1, ptr @mid release, align 4, !mmra !{!{!"foo", !"x"}, !{!"foo", !"y"}}
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data
  br label %done

done:
  ret void
}
