; One element is stored after the release: it is undef, and the others are not
; REF: LLVM LangRef, Vector Type
; REF: LLVM LangRef, Undefined Values
; The neighbour of MP-vector+elements.
; EXISTS: t1:%flag = 1 /\ t1:%v = <1, undef>
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

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
  br label %done
done:
  ret void
}
