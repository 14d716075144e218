; A pointer that is copied in two halves is the pointer again
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; REF: the semantics, section 8, Bytes
; The neighbour of pointer+memcpy. No half is a number.
; FORALL: t0:%x = 5
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 5
@p = global ptr @x
@q = global ptr null

define void @t0() {
  %p4 = getelementptr i8, ptr @p, i64 4
  %q4 = getelementptr i8, ptr @q, i64 4
  call void @llvm.memcpy.p0.p0.i64(ptr @q, ptr @p, i64 4, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %q4, ptr %p4, i64 4, i1 false)
  %p = load ptr, ptr @q
  %x = load i32, ptr %p
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
