; strict: a release and an acquire with clashing tags do not synchronize
; REF: LLVM MMRA document, Synchronization
; REF: the semantics, section 2, target profiles
; The data has no tags and is ordered within each thread. Under generic tags do not affect synchronization.
; PROFILE: strict
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
; EXPECT: llvm@generic=Never
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"foo", !"x"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4, !mmra !{!"foo", !"y"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data
  br label %done

done:
  ret void
}
