; A pointer that is copied by memcpy is the pointer
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; REF: LLVM LangRef, Pointer Aliasing Rules
; FORALL: t0:%x = 5
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 5
@p = global ptr @x
@q = global ptr null

define void @t0() {
  call void @llvm.memcpy.p0.p0.i64(ptr @q, ptr @p, i64 8, i1 false)
  %p = load ptr, ptr @q
  %x = load i32, ptr %p
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
