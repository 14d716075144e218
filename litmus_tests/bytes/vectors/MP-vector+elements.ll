; Elements stored one by one are published as a vector
; REF: LLVM LangRef, Vector Type
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The other side of MP-vector+rel+acq.
; EXISTS: t1:%flag = 1 /\ ~(t1:%v = <1, 2>)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@v = global <2 x i32> zeroinitializer
@flag = global i32 0

define void @t0() {
  %p = getelementptr i32, ptr @v, i64 1
  store i32 1, ptr @v
  store i32 2, ptr %p
  store atomic i32 1, ptr @flag release, align 4
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
