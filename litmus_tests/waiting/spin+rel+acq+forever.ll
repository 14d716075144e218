; Waiting for a flag: after the loop the data is there
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; The loop only reads, so it is one evaluation, in which the flag is set: no bound, and nothing unknown.
; EXISTS: t1:%data = 0
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  br label %spin
spin:
  %flag = load atomic i32, ptr @flag acquire, align 4
  %unset = icmp eq i32 %flag, 0
  br i1 %unset, label %spin, label %ready
ready:
  %data = load i32, ptr @data
  ret void
}
