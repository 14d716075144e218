; W+RWC with a fence in the reader only: a seq_cst store is not before a fence that reads-from leads to
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017, section 4
; Reads-from between happens-before orders two seq_cst fences. The store of x is no fence, and the flag no release.
; EXISTS: t1:%y = 1 /\ t1:%z = 0 /\ t2:%x = 0
; EXPECT: llvm=Sometimes amdgpu=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0
@z = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %y = load atomic i32, ptr @y monotonic, align 4
  fence seq_cst
  %z = load atomic i32, ptr @z monotonic, align 4
  ret void
}

define void @t2() {
  store atomic i32 1, ptr @z seq_cst, align 4
  %x = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
