; A branch on a frozen undef is defined: both ways are possible
; REF: LLVM LangRef, freeze instruction
; REF: Lee et al.: Taming undefined behavior in LLVM, PLDI 2017
; freeze turns undef into one arbitrary value, even one that nobody wrote.
; EXISTS: @y = 1
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@x = global i32 0
@y = global i32 0

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
  ret void
}
