; An untagged read-modify-write in between re-orders its neighbours under closure
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; The chain enters at its read, leaves at its write and passes the rmw edge on the way.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Sometimes+race llvm/filtered=Never
@data = global i32 0
@z = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"foo", !"x"}
  %z = atomicrmw add ptr @z, i32 1 monotonic, align 4
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
