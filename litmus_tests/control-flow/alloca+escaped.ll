; A local variable whose address is passed to another thread
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; Message passing where the data lives on the writer's stack.
; EXISTS: t1:%got = 1 /\ ~(t1:%value = 7)
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@mailbox = global ptr null

define void @t0() {
  %local = alloca i32
  store i32 7, ptr %local
  store atomic ptr %local, ptr @mailbox release, align 8
  ret void
}

define void @t1() {
  %message = load atomic ptr, ptr @mailbox acquire, align 8
  %got = icmp ne ptr %message, null
  br i1 %got, label %then, label %done
then:
  %value = load i32, ptr %message
  br label %done
done:
  ret void
}
