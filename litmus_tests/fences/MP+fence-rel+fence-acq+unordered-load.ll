; Fences: they do not synchronize through an unordered load
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The load before an acquire fence has to be monotonic or stronger.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  fence release
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag unordered, align 4
  fence acquire
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
