; Combining, example 2: what the two releases order before they are merged
; REF: LLVM MMRA document, Combining Operations, second example
; @q goes with the release of @a, which has foo:y; @p goes with both.
; EXISTS: t1:%a = 1 /\ t1:%b = 1 /\ (t1:%p = 0 \/ t1:%q = 0)
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@p = global i32 0
@q = global i32 0
@a = global i32 0
@b = global i32 0
define void @t0() {
  store i32 1, ptr @p, !mmra !{!{!"foo", !"x"}, !{!"bux", !"y"}}
  store i32 1, ptr @q, !mmra !{!"foo", !"y"}
  store atomic i32 1, ptr @a release, align 4, !mmra !{!{!"foo", !"x"}, !{!"foo", !"y"}}
  store atomic i32 1, ptr @b release, align 4, !mmra !{!{!"foo", !"x"}, !{!"bux", !"y"}}
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
  %q = load i32, ptr @q
  br label %done

done:
  ret void
}
