; Dropping one tag of several is not safe: order is lost
; REF: LLVM MMRA document, Definitions, compatibility (deleting metadata)
; MMRA-drop-one-tag-before without foo:y. What is left, foo:x, now excludes foo:y. Deleting metadata is safe by the
; whole set or the whole prefix only.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"foo", !"y"}
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"foo", !"x"}
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
