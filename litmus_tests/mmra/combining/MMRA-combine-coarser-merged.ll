; Combining is coarse: the merged release orders a store that neither ordered
; REF: LLVM MMRA document, Combining Operations, first example
; More order than in the source is correct, and costs performance.
; EXISTS: t1:%ab = 1 /\ t1:%p = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@p = global i32 0
@ab = global i32 0
define void @t0() {
  store i32 1, ptr @p, !mmra !{!{!"foo", !"y"}, !{!"bar", !"y"}}
  store atomic i32 1, ptr @ab release, align 4, !mmra !{!{!"foo", !"x"}, !{!"foo", !"y"}, !{!"bar", !"x"}, !{!"bar", !"y"}}
  ret void
}

define void @t1() {
  %ab = load atomic i32, ptr @ab acquire, align 4
  %set = icmp eq i32 %ab, 1
  br i1 %set, label %read, label %done

read:
  %p = load i32, ptr @p
  br label %done

done:
  ret void
}
