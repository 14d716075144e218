; Freeing one object says nothing of another
; REF: ISO C11, 7.22.3 (memory management functions); LLVM LangRef, Memory Model for Concurrent Operations
; EXISTS: t0:%value = 1
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

define void @t0() {
  %one = call ptr @malloc(i64 4)
  %other = call ptr @malloc(i64 4)
  store i32 1, ptr %other
  call void @free(ptr %one)
  %value = load i32, ptr %other
  ret void
}

declare ptr @malloc(i64)
declare void @free(ptr)
