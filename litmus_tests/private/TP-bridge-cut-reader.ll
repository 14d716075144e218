; An annotated private load after an acquire is no bridge to a load that clashes with it
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; The reader's mirror image of TP-bridge-cut.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
@data = global i32 0
@p = global i32 0
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
  %p = load i32, ptr @p, !thread.private !{}
  %data = load i32, ptr @data, !mmra !{!"foo", !"y"}
  br label %done

done:
  ret void
}
