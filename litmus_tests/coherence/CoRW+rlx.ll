; CoRW across threads: without synchronization the read races with the write
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; RC11 forbids the value, by its axiom about program order and reads-from, but has the race.
; EXISTS: t1:%flag = 1 /\ t0:%r = 1
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global i32 0
@flag = global i32 0

define void @t0() {
  %r = load i32, ptr @x
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  store i32 1, ptr @x
  br label %done
done:
  ret void
}
