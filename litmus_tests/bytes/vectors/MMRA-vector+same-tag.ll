; A vector store and a release with the same tag: each element is published
; REF: LLVM: Memory Model Relaxation Annotations, Ordering
; REF: LLVM LangRef, Vector Type
; EXISTS: t1:%flag = 1 /\ ~(t1:%element = 3)
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: amdgpu=Never

@v = global <4 x i32> zeroinitializer
@flag = global i32 0

define void @t0() {
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr @v, !mmra !{!"foo", !"x"}
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"foo", !"x"}
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
