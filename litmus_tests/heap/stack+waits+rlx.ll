; A function waits, without an acquire and a release, until another thread has used its local variable
; REF: LLVM LangRef, alloca ("the memory is automatically released when the function returns"); ISO C11, 6.2.4
; EXISTS: user:%value = 1
; EXPECT: llvm=Sometimes+race+ub+ub-free amdgpu=Sometimes+race+ub+ub-free
; EXPECT: rc11=Sometimes+race+ub+ub-free sc=Sometimes tso=Sometimes

@handed = global ptr null
@said = global i32 0

define void @lend() {
entry:
  %cell = alloca i32
  store i32 1, ptr %cell
  store atomic ptr %cell, ptr @handed release, align 8
  br label %wait
wait:
  %heard = load atomic i32, ptr @said monotonic, align 4
  %not.yet = icmp eq i32 %heard, 0
  br i1 %not.yet, label %wait, label %done
done:
  ret void
}

define void @owner() {
  call void @lend()
  ret void
}

define void @user() {
  %cell = load atomic ptr, ptr @handed acquire, align 8
  %none = icmp eq ptr %cell, null
  br i1 %none, label %done, label %use
use:
  %value = load i32, ptr %cell
  br label %done
done:
  store atomic i32 1, ptr @said monotonic, align 4
  ret void
}
