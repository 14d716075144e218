; An ordinary access between the private one and the release undoes the cut under closure
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; The store to @z clashes with the data and is no bridge alone: the chain runs @data, @p, @z, @flag.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Sometimes+race llvm/filtered=Never
@data = global i32 0
@p = global i32 0
@z = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"foo", !"x"}
  store i32 1, ptr @p, !thread.private !{}
  store atomic i32 1, ptr @z monotonic, align 4, !mmra !{!"foo", !"y"}
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
