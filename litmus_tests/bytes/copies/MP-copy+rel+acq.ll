; A struct that is copied in, published, and copied out
; REF: LLVM LangRef, Standard C/C++ Library Intrinsics
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; EXISTS: t1:%flag = 1 /\ ~(t1:%a = 1 /\ t1:%b = 2)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

%pair = type { i32, i32 }
@from = global %pair { i32 1, i32 2 }
@s = global %pair zeroinitializer
@d = global %pair zeroinitializer
@flag = global i32 0

define void @t0() {
  call void @llvm.memcpy.p0.p0.i64(ptr @s, ptr @from, i64 8, i1 false)
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  call void @llvm.memcpy.p0.p0.i64(ptr @d, ptr @s, i64 8, i1 false)
  %q = getelementptr %pair, ptr @d, i32 0, i32 1
  %a = load i32, ptr @d
  %b = load i32, ptr %q
  br label %done
done:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
