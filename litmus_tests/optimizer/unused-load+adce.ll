; What ADCE makes of unused-load.ll: nothing is between the two operations, and no reading orders them
; REF: LangRef, load (one that is not volatile may be deleted if it is unused); LLVM MMRA document, Ordering
; Under direct, this refines unused-load.ll; under closure and filtered it does not.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
@data = global i32 0
@z = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data, !mmra !{!"foo", !"x"}
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
