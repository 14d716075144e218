; A vector is published without order
; REF: LLVM LangRef, Vector Type
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The neighbour of MP-vector+rel+acq.
; EXISTS: t1:%flag = 1 /\ t1:%element = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@v = global <4 x i32> zeroinitializer
@flag = global i32 0

define void @t0() {
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr @v
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %p = getelementptr i32, ptr @v, i64 2
  %element = load i32, ptr %p
  br label %done
done:
  ret void
}
