; A local variable is used by another thread while its function may have returned
; REF: LLVM LangRef, alloca ("the memory is automatically released when the function returns"); ISO C11, 6.2.4
; The address is handed over by release and acquire: only the end of the variable is not ordered after its use.
; EXISTS: user:%value = 1
; EXPECT: llvm=Sometimes+race+ub+ub-free amdgpu=Sometimes+race+ub+ub-free
; EXPECT: rc11=Sometimes+race+ub+ub-free sc=Sometimes+ub+ub-free tso=Sometimes+ub+ub-free

@handed = global ptr null

define void @lend() {
  %cell = alloca i32
  store i32 1, ptr %cell
  store atomic ptr %cell, ptr @handed release, align 8
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
  ret void
}
