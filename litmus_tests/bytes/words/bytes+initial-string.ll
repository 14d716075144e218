; A word of four initial bytes
; REF: LLVM LangRef, Data Layout
; The other side of bytes+initial. The word at offset 2 spans two words of the string.
; FORALL: t0:%w0 = 67305985 /\ t0:%w2 = 100992003
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global [8 x i8] c"\01\02\03\04\05\06\07\08"

define void @t0() {
  %p = getelementptr i8, ptr @x, i64 2
  %w0 = load i32, ptr @x
  %w2 = load i32, ptr %p, align 1
  ret void
}
