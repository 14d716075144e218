; A select that does not choose the undef operand has a value
; REF: LLVM LangRef, Undefined Values
; REF: Lee et al.: Taming undefined behavior in LLVM, PLDI 2017
; The condition is well defined; only the operand that it chooses counts.
; EXISTS: t1:%flag = 0 /\ ~(t1:%s = 9)
; EXPECT: llvm=Never+race

@x = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @x
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %r = load i32, ptr @x
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %c = icmp eq i32 %flag, 1
  %s = select i1 %c, i32 %r, i32 9
  ret void
}
