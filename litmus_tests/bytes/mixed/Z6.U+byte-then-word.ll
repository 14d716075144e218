; The same, the byte stored by seq_cst and the word released
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017, section 4
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; t1 takes the byte that the first store has not: the release synchronizes as an instruction.
; EXISTS: t1:%b = 1 /\ @z = 2 /\ t2:%a = 0
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i16 0
@z = global i32 0

define void @t0() {
  store atomic i8 2, ptr @x seq_cst, align 1
  store atomic i16 257, ptr @x release, align 2
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @x, i64 1
  %b = load atomic i8, ptr %p acquire, align 1
  store atomic i32 1, ptr @z seq_cst, align 4
  ret void
}

define void @t2() {
  store atomic i32 2, ptr @z seq_cst, align 4
  %a = load atomic i8, ptr @x seq_cst, align 1
  ret void
}
