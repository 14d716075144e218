; A select on an undef condition is undef and no undefined behaviour
; REF: LLVM LangRef, Undefined Values
; REF: Lee et al.: Taming undefined behavior in LLVM, PLDI 2017
; A branch on it would be.
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
  %c = icmp eq i32 %r, 1
  %s = select i1 %c, i32 7, i32 8
  ret void
}
