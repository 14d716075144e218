; An unordered load of two bytes may be seen in part, or see a part
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; The load of the second byte divides the word into two cells. What does not tear is a monotonic store that a
; monotonic load reads: an unordered load is less.
; EXISTS: t1:%word = 1
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x monotonic, align 2
  ret void
}

define void @t1() {
  %word = load atomic i16, ptr @x unordered, align 2
  %second = getelementptr i8, ptr @x, i64 1
  %byte = load atomic i8, ptr %second monotonic, align 1
  ret void
}
