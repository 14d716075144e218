; Each thread has a private location of its own: the claims hold, and message passing works as ever
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; REF: the semantics, section 5, Thread-private accesses
; The annotated accesses touch locations that no other thread touches: no flag.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@mine = global i32 0
@own = global i32 0
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @mine, !thread.private !{}
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  store i32 1, ptr @own, !thread.private !{}
  %flag = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %own = load i32, ptr @own, !thread.private !{}
  %data = load i32, ptr @data
  br label %done

done:
  ret void
}
