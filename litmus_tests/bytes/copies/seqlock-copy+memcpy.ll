; A sequence lock around plain copies: a copy that was not disturbed is undef as well
; REF: Boehm: Can seqlocks get along with programming language memory models?, MSPC 2012
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; The reader's copy races with the writer's also where it finds the number 0 before and after.
; EXISTS: t1:%before = t1:%after /\ ~(t1:%before = 1) /\ ~(t1:%a = t1:%b)
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race

%pair = type { i32, i32 }
@from = global %pair { i32 1, i32 1 }
@data = global %pair zeroinitializer
@copy = global %pair zeroinitializer
@seq = global i32 0

define void @t0() {
  store atomic i32 1, ptr @seq monotonic, align 4
  fence release
  call void @llvm.memcpy.p0.p0.i64(ptr @data, ptr @from, i64 8, i1 false)
  store atomic i32 2, ptr @seq release, align 4
  ret void
}

define void @t1() {
  %before = load atomic i32, ptr @seq acquire, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr @copy, ptr @data, i64 8, i1 false)
  fence acquire
  %after = load atomic i32, ptr @seq monotonic, align 4
  %p = getelementptr %pair, ptr @copy, i32 0, i32 1
  %a = load i32, ptr @copy
  %b = load i32, ptr %p
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
