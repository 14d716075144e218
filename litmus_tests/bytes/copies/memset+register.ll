; memset with a byte that is computed
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; Each byte of the word is what the load returned.
; FORALL: t0:%word = 50529027
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@b = global i8 3
@x = global i32 0

define void @t0() {
  %b = load i8, ptr @b
  call void @llvm.memset.p0.i64(ptr @x, i8 %b, i64 4, i1 false)
  %word = load i32, ptr @x
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
