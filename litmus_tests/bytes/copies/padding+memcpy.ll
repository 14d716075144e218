; memcpy of a struct copies the bytes of its padding, too
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; The neighbour of padding+struct-store.
; FORALL: t0:%field = 1 /\ t0:%padding = 9
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

%padded = type { i8, i32 }
@s = global [8 x i8] c"\07\07\07\07\07\07\07\07"
@from = global [8 x i8] c"\01\09\09\09\02\00\00\00"

define void @t0() {
  call void @llvm.memcpy.p0.p0.i64(ptr @s, ptr @from, i64 8, i1 false)
  %p1 = getelementptr i8, ptr @s, i64 1
  %field = load i8, ptr @s
  %padding = load i8, ptr %p1
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
