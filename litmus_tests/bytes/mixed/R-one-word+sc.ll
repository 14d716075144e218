; A byte is stored over a word, and the other byte is read as it was before the word: seq_cst forbids it
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017, section 4
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; R in one word: the word comes before the byte in one of its bytes, and after the read in the other.
; EXISTS: @x = 513 /\ t1:%a = 0
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Sometimes

@x = global i16 0

define void @t0() {
  store atomic i16 257, ptr @x seq_cst, align 2
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @x, i64 1
  store atomic i8 2, ptr %p seq_cst, align 1
  %a = load atomic i8, ptr @x seq_cst, align 1
  ret void
}
