; Memory that is cleared and published without a release
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The neighbour of MP-memset+rel+acq.
; EXISTS: t1:%flag = 1 /\ t1:%b = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global [2 x i32] [i32 7, i32 8]
@flag = global i32 0

define void @t0() {
  call void @llvm.memset.p0.i64(ptr @x, i8 0, i64 8, i1 false)
  store atomic i32 1, ptr @flag monotonic, align 4
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
