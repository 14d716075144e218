; Bytes of a word in big-endian order
; REF: LLVM LangRef, Data Layout
; The neighbour of bytes+initial.
; FORALL: t0:%b0 = 1 /\ t0:%b1 = 2 /\ t0:%b3 = 4
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

target datalayout = "E-p:64:64"

@x = global i32 16909060  ; 0x01020304

define void @t0() {
  %p1 = getelementptr i8, ptr @x, i64 1
  %p3 = getelementptr i8, ptr @x, i64 3
  %b0 = load i8, ptr @x
  %b1 = load i8, ptr %p1
  %b3 = load i8, ptr %p3
  ret void
}
