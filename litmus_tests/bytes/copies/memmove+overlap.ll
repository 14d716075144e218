; memmove within an object: all bytes are read before any is written
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; Bytes 1, 2, 3, 4 become 1, 1, 2, 3.
; FORALL: t0:%word = 50462977
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global [4 x i8] c"\01\02\03\04"

define void @t0() {
  %p = getelementptr i8, ptr @x, i64 1
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr @x, i64 3, i1 false)
  %word = load i32, ptr @x
  ret void
}

declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
