; Who acquires one of two halves has neither, where they are read as one word
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: LLVM LangRef, Undefined Values
; The neighbour of halves+two-writers.
; EXISTS: t2:%both = 1 /\ t2:%word = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global i32 0
@f = global i32 0
@g = global i32 0

define void @t0() {
  store i16 1, ptr @x
  store atomic i32 1, ptr @f release, align 4
  ret void
}

define void @t1() {
  %high = getelementptr i8, ptr @x, i64 2
  store i16 1, ptr %high
  store atomic i32 1, ptr @g release, align 4
  ret void
}

define void @t2() {
  %f = load atomic i32, ptr @f acquire, align 4
  %g = load atomic i32, ptr @g monotonic, align 4
  %both = and i32 %f, %g
  %taken = icmp eq i32 %both, 1
  br i1 %taken, label %then, label %done
then:
  %word = load i32, ptr @x
  br label %done
done:
  ret void
}
