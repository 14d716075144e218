; Ordering: foo:baz before a release for foo:bar is not before it
; REF: LLVM MMRA document, Ordering
; B and X of the figure: the reader that saw the flag races with the store and gets undef.
; EXISTS: t1:%flag = 1 /\ t1:%b = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
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
