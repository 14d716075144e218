; Ordering: foo:bar before a release for foo:bar stays before it
; REF: LLVM MMRA document, Ordering
; A and X of the figure. The race is on @b, see MMRA-ordering-incompatible.
; EXISTS: t1:%flag = 1 /\ t1:%a = 0
; EXPECT: llvm=Never+race llvm/direct=Never+race llvm/filtered=Never+race
@a = global i32 0
@b = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @a, !mmra !{!"foo", !"bar"}
  store i32 1, ptr @b, !mmra !{!"foo", !"baz"}
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"foo", !"bar"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %a = load i32, ptr @a
  %b = load i32, ptr @b
  br label %done

done:
  ret void
}
