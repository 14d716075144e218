; A seq_cst store of a word and a release of one of its bytes stand in no order of seq_cst operations by program order
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017, section 4
; REF: Flur et al.: Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017
; A step of happens-before counts between operations on other locations (po-elsewhere). The release and the byte that t2
; reads are different bytes, but both are of the word that is stored: the accesses overlap.
; EXISTS: t1:%a = 2 /\ @z = 2 /\ t2:%b = 0
; EXPECT: llvm=Sometimes+mixed-atomics amdgpu=Sometimes+mixed-atomics
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i16 0
@z = global i32 0

define void @t0() {
  store atomic i16 257, ptr @x seq_cst, align 2
  store atomic i8 2, ptr @x release, align 1
  ret void
}

define void @t1() {
  %a = load atomic i8, ptr @x acquire, align 1
  store atomic i32 1, ptr @z seq_cst, align 4
  ret void
}

define void @t2() {
  store atomic i32 2, ptr @z seq_cst, align 4
  %p = getelementptr i8, ptr @x, i64 1
  %b = load atomic i8, ptr %p seq_cst, align 1
  ret void
}
