; undef passes through message passing: synchronization orders, it does not repair values
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Chakraborty, Vafeiadis: Formalizing the concurrency semantics of an LLVM fragment, CGO 2017
; The race is between the first two threads; the third one's load is ordered and reads what was stored.
; EXISTS: t2:%flag = 1 /\ ~(t2:%s = undef)
; EXPECT: llvm=Never+race
; EXPECT: rc11=Sometimes+race

@x = global i32 0
@y = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @x
  ret void
}

define void @t1() {
  %r = load i32, ptr @x
  store i32 %r, ptr @y
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t2() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %s = load i32, ptr @y
  br label %done
done:
  ret void
}
