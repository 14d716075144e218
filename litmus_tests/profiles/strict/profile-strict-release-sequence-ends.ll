; strict: the two ends of a release sequence must be compatible themselves
; REF: LLVM MMRA document, Synchronization
; REF: C++20, [intro.races], release sequence
; REF: the semantics, section 2, target profiles
; Each step is compatible, as the read-modify-write has no tags, but {x} and {y} clash.
; PROFILE: strict
; EXISTS: t1:%old = 1 /\ t2:%flag = 2 /\ t2:%data = 0
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
  %old = atomicrmw add ptr @flag, i32 1 monotonic, align 4
  ret void
}

define void @t2() {
  %flag = load atomic i32, ptr @flag acquire, align 4, !mmra !{!"foo", !"y"}
  %set = icmp eq i32 %flag, 2
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data
  br label %done

done:
  ret void
}
