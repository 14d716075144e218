; An access that is never reached breaks no claim
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; Nobody stores the 2 that the branch waits for.
; EXISTS: t1:%flag = 2
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@p = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @p, !thread.private !{}
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %flag, 2
  br i1 %set, label %read, label %done

read:
  %p = load i32, ptr @p
  br label %done

done:
  ret void
}
