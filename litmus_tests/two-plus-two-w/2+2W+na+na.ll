; 2+2W on plain memory: racing stores leave undef in memory
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; Neither store of a location is ordered before the other, so its final value is undef.
; EXISTS: @x = 1 /\ @y = 1
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store i32 1, ptr @x
  store i32 2, ptr @y
  ret void
}

define void @t1() {
  store i32 1, ptr @y
  store i32 2, ptr @x
  ret void
}
