; A vector is turned round before it is published
; REF: LLVM LangRef, shufflevector instruction
; EXISTS: t1:%flag = 1 /\ ~(t1:%element = 2)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@from = global <4 x i32> <i32 1, i32 2, i32 3, i32 4>
@v = global <4 x i32> zeroinitializer
@flag = global i32 0

define void @t0() {
  %in = load <4 x i32>, ptr @from
  %turned = shufflevector <4 x i32> %in, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  store <4 x i32> %turned, ptr @v
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %p = getelementptr i32, ptr @v, i64 2
  %element = load i32, ptr %p
  br label %done
done:
  ret void
}
