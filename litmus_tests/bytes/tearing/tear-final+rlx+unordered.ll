; A monotonic and an unordered store of two bytes: memory may hold a byte of each
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; Only stores that are monotonic or stronger are in modification order, and do not tear.
; EXISTS: @x = 258
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x monotonic, align 2
  ret void
}

define void @t1() {
  store atomic i16 514, ptr @x unordered, align 2
  ret void
}

define void @t2() {
  %byte = load atomic i8, ptr @x monotonic, align 1
  ret void
}
