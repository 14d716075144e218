; A comparison of undef is undef, but not yet undefined behaviour
; REF: LLVM LangRef, Undefined Values
; REF: Lee et al.: Taming undefined behavior in LLVM, PLDI 2017
; EXISTS: t1:%c = undef
; EXPECT: llvm=Always+race
; EXPECT: rc11=Never+race

@x = global i32 0

define void @t0() {
  store i32 1, ptr @x
  ret void
}

define void @t1() {
  %r = load i32, ptr @x
  %c = icmp eq i32 %r, %r
  ret void
}
