; Message passing: without acquire the data races and reads undef
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; REF: Chakraborty, Vafeiadis: Formalizing the concurrency semantics of an LLVM fragment, CGO 2017
; One notch weaker than MP+rel+acq on the reader's side: a branch on the flag does not order the load.
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
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
