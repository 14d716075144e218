; Fences: a fence of one thread only does not acquire what another thread's fence releases
; REF: LLVM LangRef, syncscope of atomic operations
; REF: ISO C17, 7.17.4.2 (atomic_signal_fence)
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Sometimes+race c11_simp=Sometimes+race c11_partialSC=Sometimes+race tso=Never sc=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  fence release
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
