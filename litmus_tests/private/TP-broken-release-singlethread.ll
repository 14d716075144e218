; A broken claim: a release store of scope singlethread is no fence of that scope, and orders nothing private
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; EXISTS: t1:%flag = 1 /\ ~ t1:%data = 1
; EXPECT: llvm=Sometimes+race+ub+ub-private amdgpu=Sometimes+race+ub+ub-private

@x = global i32 0
@y = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @x, align 4, !thread.private !0
  store atomic i32 1, ptr @y syncscope("singlethread") release, align 4
  fence release
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  fence acquire
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %end
read:
  %data = load i32, ptr @x, align 4
  br label %end
end:
  ret void
}

!0 = !{}
