; A set of tags is a list of metadata nodes: the clash in scope is found inside the list
; REF: LLVM MMRA document, Definitions, example "Set of Tags in Metadata"
; The document writes !2 = !{!0, !2}, which would be a set that holds itself; !{!0, !1} is meant.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !3
  store atomic i32 1, ptr @flag release, align 4, !mmra !2
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

!0 = !{!"scope", !"workgroup"}
!1 = !{!"sync-as", !"private"}
!2 = !{!0, !1}
!3 = !{!"scope", !"device"}
