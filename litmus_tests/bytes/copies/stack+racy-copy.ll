; A racy struct copied to the stack: the field that nobody writes is there
; REF: LLVM LangRef, alloca instruction
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; As struct-copy+memcpy.
; FORALL: t1:%a = 1 /\ t1:%b = undef
; EXPECT: llvm=Always+race amdgpu=Always+race
; EXPECT: rc11=Never+race sc=Never tso=Never

%pair = type { i32, i32 }
@s = global %pair { i32 1, i32 2 }

define void @t0() {
  %p = getelementptr %pair, ptr @s, i32 0, i32 1
  store i32 3, ptr %p
  ret void
}

define void @t1() {
  %d = alloca %pair
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr @s, i64 8, i1 false)
  %q = getelementptr %pair, ptr %d, i32 0, i32 1
  %a = load i32, ptr %d
  %b = load i32, ptr %q
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
