; An untagged load between an acquire and a load for something else re-orders them under closure
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; The reader's mirror image of HB-writer-load.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Sometimes+race llvm/filtered=Never
@data = global i32 0
@z = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4, !mmra !{!"foo", !"x"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %z = load i32, ptr @z
  %data = load i32, ptr @data, !mmra !{!"foo", !"y"}
  br label %done

done:
  ret void
}
