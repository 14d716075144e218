; freeze of a vector with one racy element leaves the other one as it is
; REF: LLVM LangRef, freeze instruction
; REF: LLVM LangRef, Undefined Values
; As MP-vector+element-late.
; EXISTS: t1:%flag = 1 /\ ~(t1:%first = 1)
; EXPECT: llvm=Never+race amdgpu=Never+race

@v = global <2 x i32> zeroinitializer
@flag = global i32 0

define void @t0() {
  %p = getelementptr i32, ptr @v, i64 1
  store i32 1, ptr @v
  store atomic i32 1, ptr @flag release, align 4
  store i32 2, ptr %p
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %v = load <2 x i32>, ptr @v
  %frozen = freeze <2 x i32> %v
  %first = extractelement <2 x i32> %frozen, i32 0
  br label %done
done:
  ret void
}
