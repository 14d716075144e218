; A flag that main initialises with a plain store before it creates the thread that waits for it
; REF: ISO C17, 7.17.2.2 (atomic_init), 5.1.2.4; semantics, section 9
; The store happens before all iterations of the loop: it races with none, so the loop waits. In LLVM, a load that
; may see both this store, which is not atomic, and another one is undef.
; EXISTS: waits:%seen = 1
; EXPECT: rc11=Always llvm=Always+ub-undef amdgpu=Always+ub-undef

@flag = global i32 7

define ptr @sets(ptr %unused) {
  store atomic i32 1, ptr @flag release, align 4
  ret ptr null
}

define ptr @waits(ptr %unused) {
  br label %loop
loop:
  %seen = load atomic i32, ptr @flag acquire, align 4
  %still = icmp eq i32 %seen, 0
  br i1 %still, label %loop, label %done
done:
  ret ptr null
}

define i32 @main() {
  %a = alloca i64
  %b = alloca i64
  store i32 0, ptr @flag
  %1 = call i32 @pthread_create(ptr %a, ptr null, ptr @sets, ptr null)
  %2 = call i32 @pthread_create(ptr %b, ptr null, ptr @waits, ptr null)
  ret i32 0
}

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
