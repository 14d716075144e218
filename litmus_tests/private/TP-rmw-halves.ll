; A read-modify-write that breaks its claim still links its halves
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; Under strict the relay is the only way from the first thread to the last, and the cut spares the rmw edge.
; PROFILE: strict
; EXISTS: t1:%old = 1 /\ t2:%flag = 2 /\ t2:%data = 0
; EXPECT: llvm=Never+ub-private+ub llvm/direct=Never+ub-private+ub llvm/filtered=Never+ub-private+ub
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"foo", !"x"}
  ret void
}

define void @t1() {
  %old = atomicrmw add ptr @flag, i32 1 acq_rel, align 4, !mmra !{!{!"foo", !"x"}, !{!"foo", !"y"}}, !thread.private !{}
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
