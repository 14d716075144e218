; A final value is undef where the reading leaves two plain stores unordered
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; Under closure and filtered the second store is the only last one.
; EXISTS: t1:%flag = 1 /\ @data = undef
; EXPECT: llvm=Never llvm/direct=Sometimes+race llvm/filtered=Never
@data = global i32 0
@z = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"foo", !"x"}
  %z = load i32, ptr @z
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  store i32 2, ptr @data
  br label %done

done:
  ret void
}
