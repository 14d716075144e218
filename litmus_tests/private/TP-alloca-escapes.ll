; An alloca whose address another thread uses is not private
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; The address is published with release and acquire; the annotated store is cut from the release and races.
; EXISTS: t1:%v = 1
; EXPECT: llvm=Sometimes+race+ub-private+ub llvm/direct=Sometimes+race+ub-private+ub
; EXPECT: llvm/filtered=Sometimes+race+ub-private+ub
@box = global ptr null
define void @t0() {
  %p = alloca i32
  store i32 1, ptr %p, !thread.private !{}
  store atomic ptr %p, ptr @box release, align 8
  ret void
}

define void @t1() {
  %q = load atomic ptr, ptr @box acquire, align 8
  %set = icmp ne ptr %q, null
  br i1 %set, label %read, label %done

read:
  %v = load i32, ptr %q
  br label %done

done:
  ret void
}
