; A stack slot is memory by bytes, too: a word is written, a byte of it read, and two bytes copied out
; REF: LLVM LangRef, alloca instruction
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; FORALL: t0:%byte = 3 /\ @x = 513
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i16 0

define void @t0() {
  %slot = alloca [8 x i8]
  store i32 50462977, ptr %slot  ; 0x03020101
  %p3 = getelementptr i8, ptr %slot, i64 3
  %p1 = getelementptr i8, ptr %slot, i64 1
  %byte = load i8, ptr %p3
  call void @llvm.memcpy.p0.p0.i64(ptr @x, ptr %p1, i64 2, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
