; A load through an address that is undef is undefined behaviour
; REF: LLVM LangRef, Undefined Values
; REF: Lee et al.: Taming undefined behavior in LLVM, PLDI 2017
; The index is racy. RC11, SC and TSO give it one of the values written.
; EXISTS: t1:%flag = 1
; EXPECT: llvm=Never+race+ub-undef+ub
; EXPECT: rc11=Sometimes+race sc=Sometimes tso=Sometimes

@x = global i32 0
@flag = global i32 0
@a = global [2 x i32] zeroinitializer

define void @t0() {
  store i32 1, ptr @x
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %i = load i32, ptr @x
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %p = getelementptr [2 x i32], ptr @a, i32 0, i32 %i
  %r = load i32, ptr %p
  br label %done
done:
  ret void
}
