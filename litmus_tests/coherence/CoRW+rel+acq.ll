; CoRW across threads: a read does not return a write that it happens before
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; Plain accesses in both threads: read then write, ordered by the flag, are no race.
; EXISTS: t1:%flag = 1 /\ t0:%r = 1
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@flag = global i32 0

define void @t0() {
  %r = load i32, ptr @x
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  store i32 1, ptr @x
  br label %done
done:
  ret void
}
