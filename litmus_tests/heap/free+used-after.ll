; A load from memory that its own thread has freed
; REF: ISO C11, 7.22.3 (memory management functions); LLVM LangRef, Memory Model for Concurrent Operations
; EXISTS: t0:%value = 1
; EXPECT: llvm=Sometimes+ub+ub-free amdgpu=Sometimes+ub+ub-free
; EXPECT: rc11=Sometimes+ub+ub-free sc=Sometimes+ub+ub-free tso=Sometimes+ub+ub-free

define void @t0() {
  %cell = call ptr @malloc(i64 4)
  store i32 1, ptr %cell
  call void @free(ptr %cell)
  %value = load i32, ptr %cell
  ret void
}

declare ptr @malloc(i64)
declare void @free(ptr)
