; A handed-over location is not private, even where an access in between keeps the order
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; Ordering cannot rescue the claim, which is that one thread accesses the location at all times.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never+ub-private+ub llvm/direct=Sometimes+race+ub-private+ub llvm/filtered=Never+ub-private+ub
@data = global i32 0
@z = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !thread.private !{}
  store atomic i32 1, ptr @z monotonic, align 4
  store atomic i32 1, ptr @flag release, align 4
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
