; A ticket lock: each thread waits until its number is served
; REF: Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors, TOCS 1991
; EXISTS: ~(@counter = 3)
; THREADS: t0=@add() t1=@add() t2=@add()
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@next = global i32 0
@serving = global i32 0
@counter = global i32 0

define void @add() {
  %mine = atomicrmw add ptr @next, i32 1 monotonic, align 4
  br label %wait
wait:
  %now = load atomic i32, ptr @serving acquire, align 4
  %turn = icmp eq i32 %now, %mine
  br i1 %turn, label %enter, label %wait
enter:
  %old = load i32, ptr @counter
  %new = add i32 %old, 1
  store i32 %new, ptr @counter
  %after = add i32 %mine, 1
  store atomic i32 %after, ptr @serving release, align 4
  ret void
}
