; A lane that a shuffle does not give is undef, and the others are not
; REF: LLVM LangRef, shufflevector instruction
; REF: LLVM LangRef, Undefined Values
; The mask takes lanes of both operands.
; FORALL: @v = <1, undef, 4, 1>
; EXPECT: llvm=Always amdgpu=Always

@v = global <4 x i32> zeroinitializer

define void @t0() {
  %turned = shufflevector <2 x i32> <i32 1, i32 2>, <2 x i32> <i32 3, i32 4>, <4 x i32> <i32 0, i32 poison, i32 3, i32 0>
  store <4 x i32> %turned, ptr @v
  ret void
}
