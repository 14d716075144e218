; A seq_cst store and a release of different locations: happens-before between them and others orders seq_cst operations
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017, section 4
; The neighbour of Z6.U+word-then-byte: the release is of a byte outside of the word.
; EXISTS: t1:%a = 2 /\ @z = 2 /\ t2:%b = 0
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics
; EXPECT: rc11=Never sc=Never tso=Sometimes

@x = global i16 0
@y = global i8 0
@z = global i32 0

define void @t0() {
  store atomic i16 257, ptr @x seq_cst, align 2
  store atomic i8 2, ptr @y release, align 1
  ret void
}

define void @t1() {
  %a = load atomic i8, ptr @y acquire, align 1
  store atomic i32 1, ptr @z seq_cst, align 4
  ret void
}

define void @t2() {
  store atomic i32 2, ptr @z seq_cst, align 4
  %p = getelementptr i8, ptr @x, i64 1
  %b = load atomic i8, ptr %p seq_cst, align 1
  ret void
}
