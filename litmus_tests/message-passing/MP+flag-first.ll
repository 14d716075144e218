; Message passing: a flag that is stored before the data protects nothing
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; Release orders what is before it, not what is after it.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Sometimes tso=Sometimes

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store atomic i32 1, ptr @flag release, align 4
  store i32 1, ptr @data
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
