; undef passes through a phi
; REF: LLVM LangRef, Undefined Values
; The branch is on a flag that is well defined.
; EXISTS: t1:%flag = 1 /\ ~(t1:%v = undef)
; EXPECT: llvm=Never+race

@x = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @x
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %r = load i32, ptr @x
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %join, label %other
other:
  br label %join
join:
  %v = phi i32 [ %r, %0 ], [ 9, %other ]
  ret void
}
