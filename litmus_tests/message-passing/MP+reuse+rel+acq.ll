; Message passing there and back: the buffer may be overwritten once its reader has answered
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; The read of the data is ordered before the second store by the answer, so there is no race.
; EXISTS: t1:%flag = 1 /\ t1:%data = 2
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@flag = global i32 0
@ack = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  %ack = load atomic i32, ptr @ack acquire, align 4
  %taken = icmp eq i32 %ack, 1
  br i1 %taken, label %then, label %done
then:
  store i32 2, ptr @data
  br label %done
done:
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  store atomic i32 1, ptr @ack release, align 4
  br label %done
done:
  ret void
}
