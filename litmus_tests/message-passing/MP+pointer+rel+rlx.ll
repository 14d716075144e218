; Message passing of an address: LLVM has no consume, so an address dependency does not order
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; Common processors would order the dependent load; the compiler may break the dependency.
; EXISTS: t1:%got = 1 /\ t1:%value = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@data = global i32 0
@mailbox = global ptr null

define void @t0() {
  store i32 1, ptr @data
  store atomic ptr @data, ptr @mailbox release, align 8
  ret void
}

define void @t1() {
  %message = load atomic ptr, ptr @mailbox monotonic, align 8
  %got = icmp ne ptr %message, null
  br i1 %got, label %then, label %done
then:
  %value = load i32, ptr %message
  br label %done
done:
  ret void
}
