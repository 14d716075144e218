; Message passing of an address: release and acquire publish what a pointer points to
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; The pointer travels through memory; the load through it is ordered after the store of the data.
; EXISTS: t1:%got = 1 /\ t1:%value = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@mailbox = global ptr null

define void @t0() {
  store i32 1, ptr @data
  store atomic ptr @data, ptr @mailbox release, align 8
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
