; A copy of all bytes up to the end of the object
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; The neighbour of copy+outside.
; FORALL: @x[7] = 3
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@from = global [8 x i8] c"\01\01\01\01\01\01\03\04"
@x = global [8 x i8] zeroinitializer

define void @t0() {
  %p = getelementptr i8, ptr @x, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @from, i64 7, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
