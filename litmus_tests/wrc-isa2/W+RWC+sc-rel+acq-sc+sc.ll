; W+RWC: a synchronization between seq_cst accesses orders them
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; The seq_cst store of t0 happens before the seq_cst load of t1, by program order, synchronization and program order of
; different locations. So it comes first in the order of seq_cst operations: the load of t2 has to see it.
; EXISTS: t1:%a = 1 /\ t1:%b = 0 /\ t2:%c = 0
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0
@z = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4
  store atomic i32 1, ptr @y release, align 4
  ret void
}

define void @t1() {
  %a = load atomic i32, ptr @y acquire, align 4
  %b = load atomic i32, ptr @z seq_cst, align 4
  ret void
}

define void @t2() {
  store atomic i32 1, ptr @z seq_cst, align 4
  %c = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
