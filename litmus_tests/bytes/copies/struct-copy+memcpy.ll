; A struct copied while another thread writes one field: only this field of the copy is undef
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; memcpy copies bytes, and bytes that are undef stay undef.
; FORALL: t1:%a = 1 /\ t1:%b = undef
; EXPECT: llvm=Always+race amdgpu=Always+race
; EXPECT: rc11=Never+race sc=Never tso=Never

%pair = type { i32, i32 }
@s = global %pair { i32 1, i32 2 }
@d = global %pair zeroinitializer

define void @t0() {
  %p = getelementptr %pair, ptr @s, i32 0, i32 1
  store i32 3, ptr %p
  ret void
}

define void @t1() {
  call void @llvm.memcpy.p0.p0.i64(ptr @d, ptr @s, i64 8, i1 false)
  %q = getelementptr %pair, ptr @d, i32 0, i32 1
  %a = load i32, ptr @d
  %b = load i32, ptr %q
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
