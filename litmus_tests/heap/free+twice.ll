; Memory is freed twice
; REF: ISO C11, 7.22.3 (memory management functions); LLVM LangRef, Memory Model for Concurrent Operations
; NEVER: ub-free
; EXPECT: llvm=Always+ub+ub-free amdgpu=Always+ub+ub-free
; EXPECT: rc11=Always+ub+ub-free sc=Always+ub+ub-free tso=Always+ub+ub-free

define void @t0() {
  %cell = call ptr @malloc(i64 4)
  call void @free(ptr %cell)
  call void @free(ptr %cell)
  ret void
}

declare ptr @malloc(i64)
declare void @free(ptr)
