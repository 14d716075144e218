; Waiting for a flag: a monotonic loop waits for the flag, but not for the data
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; One notch weaker than spin+rel+acq.
; UNROLL: 4
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  br label %spin
spin:
  %i = phi i32 [ 1, %0 ], [ %next, %again ]
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %ready, label %again
again:
  %next = add i32 %i, 1
  %more = icmp sle i32 %next, 3
  br i1 %more, label %spin, label %give_up
ready:
  %data = load i32, ptr @data
  ret void
give_up:
  ret void
}
