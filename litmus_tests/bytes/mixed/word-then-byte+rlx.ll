; The later byte of a thread without the word that it stored before: monotonic does not forbid it
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; REF: the semantics, section 8, Bytes
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; The load of the word takes its first byte from the store of the byte, and its second from before the store of the
; word.
; EXISTS: t1:%word = 2
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x monotonic, align 2
  store atomic i8 2, ptr @x monotonic, align 1
  ret void
}

define void @t1() {
  %word = load atomic i16, ptr @x monotonic, align 2
  ret void
}
