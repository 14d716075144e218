; A plain copy in its place races
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; The neighbour of element-memcpy+words.
; FORALL: t1:%a = undef /\ t1:%b = undef
; EXPECT: llvm=Always+race amdgpu=Always+race

@from = global [2 x i32] [i32 257, i32 257]
@x = global [2 x i32] zeroinitializer

define void @t0() {
  call void @llvm.memcpy.p0.p0.i64(ptr @x, ptr @from, i64 8, i1 false)
  ret void
}

define void @t1() {
  %p = getelementptr i32, ptr @x, i64 1
  %a = load atomic i32, ptr @x unordered, align 4
  %b = load atomic i32, ptr %p unordered, align 4
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
