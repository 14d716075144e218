; The release is a read-modify-write: its halves stay linked, the data is ordered with either half
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; The store goes with both halves; the reader synchronizes with the write half.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"foo", !"x"}
  %old = atomicrmw add ptr @flag, i32 1 acq_rel, align 4, !mmra !{!{!"foo", !"x"}, !{!"foo", !"y"}}
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
