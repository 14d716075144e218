; A thread does not synchronize with itself: a release and an acquire around its own flag are no bridge between tags
; REF: MMRA document, The happens-before Relation
; REF: ISO C++20, 6.9.2 (synchronizes-with is between threads); the semantics, section 3 (sw is in ext)
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race
@data = global i32 0
@own = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"foo", !"a"}
  store atomic i32 1, ptr @own release, align 4, !mmra !{!"foo", !"a"}
  %own = load atomic i32, ptr @own monotonic, align 4, !mmra !{!"foo", !"own"}
  fence acquire, !mmra !{!"foo", !"b"}
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"foo", !"b"}
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
