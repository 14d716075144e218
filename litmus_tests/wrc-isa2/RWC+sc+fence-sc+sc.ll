; RWC: what comes before a seq_cst store comes before a seq_cst fence that the store happens before
; REF: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11 (RC11), PLDI 2017
; The load of t2 is before the store that it misses, and the store happens before the fence of t1, although t1 loads it
; by a relaxed load: so the load is before the fence, and the fence before the load of t1.
; EXISTS: t1:%a = 1 /\ t1:%b = 0 /\ t2:%c = 0
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x seq_cst, align 4
  ret void
}

define void @t1() {
  %a = load atomic i32, ptr @x monotonic, align 4
  fence seq_cst
  %b = load atomic i32, ptr @y seq_cst, align 4
  ret void
}

define void @t2() {
  store atomic i32 1, ptr @y seq_cst, align 4
  %c = load atomic i32, ptr @x seq_cst, align 4
  ret void
}
