; A store of a byte goes on with the release of its word: who reads the byte synchronizes with the whole store of the word
; REF: Lahav et al.: Repairing Sequential Consistency in C/C++11, PLDI 2017, section 3: release sequences
; REF: ISO C++20, 6.9.2: a release sequence does not go on with stores
; REF: the semantics, section 8, Bytes: instructions synchronize, not parts
; The store of the word happens before the acquire of its low byte, so that the high byte is seen, too.
; EXISTS: t1:%low = 2 /\ t1:%high = 0
; EXPECT: rc11=Never sc=Never tso=Never
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics

@word = global i16 0

define void @t0() {
  store atomic i16 257, ptr @word release, align 2
  store atomic i8 2, ptr @word monotonic, align 1
  ret void
}

define void @t1() {
  %low = load atomic i8, ptr @word acquire, align 1
  %p = getelementptr i8, ptr @word, i64 1
  %high = load atomic i8, ptr %p monotonic, align 1
  ret void
}
