; Message passing: data that is read before the flag is not protected
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; Acquire orders what is after it, not what is before it.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Sometimes tso=Sometimes

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %data = load i32, ptr @data
  %flag = load atomic i32, ptr @flag acquire, align 4
  ret void
}
