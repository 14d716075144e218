; A plain store of two bytes may be seen in part
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; The load of the second byte divides the word into two cells. LLVM gives a racy word undef, which covers a torn
; value; in C11 the race leaves everything undefined. Models of hardware have whole accesses.
; EXISTS: t1:%word = 1
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store i16 257, ptr @x
  ret void
}

define void @t1() {
  %word = load i16, ptr @x
  %second = getelementptr i8, ptr @x, i64 1
  %byte = load i8, ptr %second
  ret void
}
