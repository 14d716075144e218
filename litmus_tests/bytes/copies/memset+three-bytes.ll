; memset of three bytes leaves the fourth alone
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; The word is 0x04050505: the last byte is the initial one.
; FORALL: t0:%word = 67437829
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 67305985  ; 0x04030201

define void @t0() {
  call void @llvm.memset.p0.i64(ptr @x, i8 5, i64 3, i1 false)
  %word = load i32, ptr @x
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
