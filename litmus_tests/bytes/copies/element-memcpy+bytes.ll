; A copy by atomic bytes: a word of it may be seen in part
; REF: LLVM LangRef, Element Wise Atomic Memory Intrinsics
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The neighbour of element-memcpy+words-whole.
; EXISTS: t1:%a = 1
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Sometimes sc=Sometimes

@from = global i16 257
@x = global i16 0

define void @t0() {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 @x, ptr align 4 @from, i64 2, i32 1)
  ret void
}

define void @t1() {
  %a = load atomic i16, ptr @x unordered, align 2
  ret void
}

declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
