; A copy of which one byte is outside of the object is undefined behaviour
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; REF: LLVM LangRef, Pointer Aliasing Rules
; EXISTS: true
; EXPECT: llvm=Never+ub-address+ub amdgpu=Never+ub-address+ub

@from = global [8 x i8] zeroinitializer
@x = global [8 x i8] zeroinitializer

define void @t0() {
  %p = getelementptr i8, ptr @x, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @from, i64 8, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
