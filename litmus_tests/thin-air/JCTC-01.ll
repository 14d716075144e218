; Java causality test case 1: a branch that is always taken still counts as a dependency
; REF: Pugh et al.: Causality test cases for the Java memory model, 2004
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; Java allows it, because a compiler can prove the branch. Dependencies here are syntactic: the model is
; stricter.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  %positive = icmp sge i32 %r0, 0
  br i1 %positive, label %then, label %done
then:
  store atomic i32 1, ptr @y monotonic, align 4
  br label %done
done:
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %r1, ptr @x monotonic, align 4
  ret void
}
