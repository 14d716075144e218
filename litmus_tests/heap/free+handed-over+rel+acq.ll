; Memory that is handed over by release and acquire may be read and freed by its new owner
; REF: ISO C11, 7.22.3 (memory management functions); LLVM LangRef, Memory Model for Concurrent Operations
; All accesses come before the end of the memory: no flag.
; EXISTS: taker:%value = 1
; EXPECT: llvm=Sometimes amdgpu=Sometimes
; EXPECT: rc11=Sometimes sc=Sometimes tso=Sometimes

@handed = global ptr null
@seen = global i32 0

define void @owner() {
  %cell = call ptr @malloc(i64 4)
  store i32 1, ptr %cell
  store atomic ptr %cell, ptr @handed release, align 8
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
