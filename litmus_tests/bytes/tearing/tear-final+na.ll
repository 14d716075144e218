; Two plain stores of two bytes: memory may hold a byte of each
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; No store comes after the other in either byte, so that both are undef.
; EXISTS: @x = 258
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store i16 257, ptr @x
  ret void
}

define void @t1() {
  store i16 514, ptr @x
  ret void
}

define void @t2() {
  %byte = load i8, ptr @x
  ret void
}
