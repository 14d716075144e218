; No word of a copy by atomic words is seen in part
; REF: LLVM LangRef, Element Wise Atomic Memory Intrinsics
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The neighbour of element-memcpy+words.
; EXISTS: ~(t1:%a = 0 \/ t1:%a = 257)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never

@from = global [2 x i32] [i32 257, i32 257]
@x = global [2 x i32] zeroinitializer

define void @t0() {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 @x, ptr align 4 @from, i64 8, i32 4)
  ret void
}

define void @t1() {
  %p = getelementptr i32, ptr @x, i64 1
  %a = load atomic i32, ptr @x unordered, align 4
  %b = load atomic i32, ptr %p unordered, align 4
  ret void
}

declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
