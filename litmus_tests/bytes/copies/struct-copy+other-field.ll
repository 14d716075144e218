; A copy of the first field alone does not race with the second one
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; The neighbour of struct-copy+memcpy: four bytes are copied.
; FORALL: t1:%a = 1 /\ t1:%b = 0
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

%pair = type { i32, i32 }
@s = global %pair { i32 1, i32 2 }
@d = global %pair zeroinitializer

define void @t0() {
  %p = getelementptr %pair, ptr @s, i32 0, i32 1
  store i32 3, ptr %p
  ret void
}

define void @t1() {
  call void @llvm.memcpy.p0.p0.i64(ptr @d, ptr @s, i64 4, i1 false)
  %q = getelementptr %pair, ptr @d, i32 0, i32 1
  %a = load i32, ptr @d
  %b = load i32, ptr %q
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
