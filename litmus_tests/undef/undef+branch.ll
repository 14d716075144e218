; A branch on undef is undefined behaviour
; REF: LLVM LangRef, Undefined Values
; REF: Lee et al.: Taming undefined behavior in LLVM, PLDI 2017
; With the flag set the execution ends at the branch on the racy value and has no outcome, only a flag.
; EXISTS: t1:%flag = 1
; EXPECT: llvm=Never+race+ub-undef+ub
; EXPECT: rc11=Sometimes+race sc=Sometimes tso=Sometimes

@x = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @x
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %r = load i32, ptr @x
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %taken2 = icmp eq i32 %r, 1
  br i1 %taken2, label %then2, label %done
then2:
  br label %done
done:
  ret void
}
