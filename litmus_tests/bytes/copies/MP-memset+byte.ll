; Memory is filled with a byte, then one byte is set: the word has both
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The word is 0x7f7f057f.
; EXISTS: t1:%flag = 1 /\ ~(t1:%word = 2139030911)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@flag = global i32 0

define void @t0() {
  call void @llvm.memset.p0.i64(ptr @x, i8 127, i64 4, i1 false)
  %p = getelementptr i8, ptr @x, i64 1
  store i8 5, ptr %p
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %word = load i32, ptr @x
  br label %done
done:
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
