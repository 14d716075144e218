; Memory that is handed over without a release is freed while its maker may still write it
; REF: ISO C11, 7.22.3 (memory management functions); LLVM LangRef, Memory Model for Concurrent Operations
; Nothing orders the store to the memory before its end.
; EXISTS: taker:%value = 1
; EXPECT: llvm=Sometimes+race+ub+ub-free amdgpu=Sometimes+race+ub+ub-free
; EXPECT: rc11=Sometimes+race+ub+ub-free sc=Sometimes tso=Sometimes

@handed = global ptr null
@seen = global i32 0

define void @owner() {
  %cell = call ptr @malloc(i64 4)
  store i32 1, ptr %cell
  store atomic ptr %cell, ptr @handed monotonic, align 8
  ret void
}

define void @taker() {
  %cell = load atomic ptr, ptr @handed acquire, align 8
  %none = icmp eq ptr %cell, null
  br i1 %none, label %done, label %use
use:
  %value = load i32, ptr %cell
  call void @free(ptr %cell)
  br label %done
done:
  ret void
}

declare ptr @malloc(i64)
declare void @free(ptr)
