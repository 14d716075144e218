; Message passing: seq_cst is release and acquire too
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag seq_cst, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag seq_cst, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
