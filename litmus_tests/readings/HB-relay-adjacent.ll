; A third thread hands on a message with a clash of its own: order is lost in every reading
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; The acquire of the relay is not ordered before its release.
; EXISTS: t1:%flag = 1 /\ t2:%go = 1 /\ t2:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
@data = global i32 0
@flag = global i32 0
@go = global i32 0
define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4, !mmra !{!"foo", !"x"}
  store atomic i32 %flag, ptr @go release, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t2() {
  %go = load atomic i32, ptr @go acquire, align 4
  %set = icmp eq i32 %go, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data
  br label %done

done:
  ret void
}
