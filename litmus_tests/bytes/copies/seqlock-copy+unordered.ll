; A sequence lock around copies by unordered elements: no race, but a fence does not see what they read
; REF: Boehm: Can seqlocks get along with programming language memory models?, MSPC 2012
; REF: LLVM LangRef, Element Wise Atomic Memory Intrinsics
; The neighbour of seqlock-copy+memcpy: fences synchronize through monotonic accesses only.
; EXISTS: t1:%before = t1:%after /\ ~(t1:%before = 1) /\ ~(t1:%a = t1:%b)
; EXPECT: llvm=Sometimes amdgpu=Sometimes
; EXPECT: rc11=Sometimes sc=Never

%pair = type { i32, i32 }
@from = global %pair { i32 1, i32 1 }
@data = global %pair zeroinitializer
@copy = global %pair zeroinitializer
@seq = global i32 0

define void @t0() {
  store atomic i32 1, ptr @seq monotonic, align 4
  fence release
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 @data, ptr align 4 @from, i64 8, i32 4)
  store atomic i32 2, ptr @seq release, align 4
  ret void
}

define void @t1() {
  %before = load atomic i32, ptr @seq acquire, align 4
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 @copy, ptr align 4 @data, i64 8, i32 4)
  fence acquire
  %after = load atomic i32, ptr @seq monotonic, align 4
  %p = getelementptr %pair, ptr @copy, i32 0, i32 1
  %a = load i32, ptr @copy
  %b = load i32, ptr %p
  ret void
}

declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
