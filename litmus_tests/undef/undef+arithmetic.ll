; Arithmetic on undef is undef, even where both operands are the same
; REF: LLVM LangRef, Undefined Values
; REF: Lee et al.: Taming undefined behavior in LLVM, PLDI 2017
; Each use of undef may be another value, so that x ^ x need not be 0.
; EXISTS: t1:%s = undef
; EXPECT: llvm=Always+race
; EXPECT: rc11=Never+race

@x = global i32 0

define void @t0() {
  store i32 1, ptr @x
  ret void
}

define void @t1() {
  %r = load i32, ptr @x
  %s = xor i32 %r, %r
  ret void
}
