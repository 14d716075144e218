; A frozen undef is one value: two branches on it go the same way
; REF: LLVM LangRef, freeze instruction
; REF: Lee et al.: Taming undefined behavior in LLVM, PLDI 2017
; Without freeze each use of undef might differ.
; EXISTS: (@y = 1 /\ @z = 2) \/ (@y = 2 /\ @z = 1)
; EXPECT: llvm=Never+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global i32 0
@y = global i32 0
@z = global i32 0

define void @t0() {
  store i32 1, ptr @x
  ret void
}

define void @t1() {
  %r = load i32, ptr @x
  %fixed = freeze i32 %r
  %c = icmp eq i32 %fixed, 5
  br i1 %c, label %five, label %other
five:
  store i32 1, ptr @y
  br label %again
other:
  store i32 2, ptr @y
  br label %again
again:
  %d = icmp eq i32 %fixed, 5
  br i1 %d, label %five2, label %other2
five2:
  store i32 1, ptr @z
  ret void
other2:
  store i32 2, ptr @z
  ret void
}
