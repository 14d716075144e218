; A vector store and a release with other tags: no element is published
; REF: LLVM: Memory Model Relaxation Annotations, Ordering
; REF: LLVM LangRef, Vector Type
; The neighbour of MMRA-vector+same-tag.
; EXISTS: t1:%flag = 1 /\ t1:%element = undef
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
; EXPECT: amdgpu=Sometimes+race

@v = global <4 x i32> zeroinitializer
@flag = global i32 0

define void @t0() {
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr @v, !mmra !{!"foo", !"x"}
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"foo", !"y"}
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
