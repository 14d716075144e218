; cmpxchg: a successful one does not take its failure ordering
; REF: LLVM LangRef, cmpxchg instruction
; One notch weaker than CAS+success-acquire.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %pair = cmpxchg ptr @flag, i32 1, i32 2 monotonic acquire, align 4
  %flag = extractvalue { i32, i1 } %pair, 0
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
