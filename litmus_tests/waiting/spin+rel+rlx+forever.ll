; Waiting for a flag: a monotonic loop waits for the flag, but not for the data
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; One order weaker than spin+rel+acq+forever.
; EXISTS: t1:%data = 0
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

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
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %unset = icmp eq i32 %flag, 0
  br i1 %unset, label %spin, label %ready
ready:
  %data = load i32, ptr @data
  ret void
}
