; Only consistent executions can break a claim: monotonic accesses let the reader through
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; One notch weaker than TP-inconsistent, the stale read happens and the location is touched.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race+ub-private+ub llvm/direct=Sometimes+race+ub-private+ub
; EXPECT: llvm/filtered=Sometimes+race+ub-private+ub
@p = global i32 0
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @p, !thread.private !{}
  store atomic i32 1, ptr @data monotonic, align 4
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load atomic i32, ptr @data monotonic, align 4
  %old = icmp eq i32 %data, 0
  br i1 %old, label %touch, label %done

touch:
  %p = load i32, ptr @p
  br label %done

done:
  ret void
}
