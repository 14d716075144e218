; A plain copy onto a flag is not atomic, and races with whoever loads the flag
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; FORALL: t1:%flag = undef
; EXPECT: llvm=Always+race amdgpu=Always+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@one = global i32 1
@flag = global i32 0

define void @t0() {
  call void @llvm.memcpy.p0.p0.i64(ptr @flag, ptr @one, i64 4, i1 false)
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
