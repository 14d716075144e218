; Memory that is cleared before it is published: whoever acquires it sees zeros
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; @x holds 7 and 8 before.
; EXISTS: t1:%flag = 1 /\ ~(t1:%b = 0)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global [2 x i32] [i32 7, i32 8]
@flag = global i32 0

define void @t0() {
  call void @llvm.memset.p0.i64(ptr @x, i8 0, i64 8, i1 false)
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %p = getelementptr i32, ptr @x, i64 1
  %b = load i32, ptr %p
  br label %done
done:
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
