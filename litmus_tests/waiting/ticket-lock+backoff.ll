; A ticket lock that backs off: who is not served yet counts as far as there are others before it
; REF: Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors, TOCS 1991; C11, 6.8.5 p6
; How far it counts rests on what it has read, but nothing that others can see rests on how far it counts: the loop waits.
; EXISTS: ~(@counter = 2)
; THREADS: t0=@add() t1=@add()
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
  %before = sub i32 %mine, %now
  %pause = mul i32 %before, 8
  %turn = icmp eq i32 %before, 0
  br i1 %turn, label %enter, label %count
count:
  %i = phi i32 [ 0, %wait ], [ %further, %count ]
  %further = add i32 %i, 1
  %on = icmp slt i32 %further, %pause
  br i1 %on, label %count, label %wait
enter:
  %old = load i32, ptr @counter
  %new = add i32 %old, 1
  store i32 %new, ptr @counter
  %after = add i32 %mine, 1
  store atomic i32 %after, ptr @serving release, align 4
  ret void
}
