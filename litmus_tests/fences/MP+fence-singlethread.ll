; Fences: a fence of scope singlethread orders nothing between threads
; REF: LLVM LangRef, syncscope of atomic operations
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: ISO C17, 7.17.4.2 (atomic_signal_fence)
; It is a compiler fence, for signal handlers of the same thread: its scope does not include the other thread.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Sometimes+race c11_simp=Sometimes+race c11_partialSC=Sometimes+race tso=Never sc=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  fence syncscope("singlethread") release
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  fence syncscope("singlethread") acquire
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
