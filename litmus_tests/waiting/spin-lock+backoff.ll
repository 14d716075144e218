; A lock by exchange that backs off: after each attempt that fails it counts to twice as far as before
; REF: Anderson: The performance of spin lock alternatives, IEEE TPDS 1990; C11, 6.8.5 p6; semantics, section 9
; How far it counts differs from attempt to attempt, but nothing rests on that which others can see: the loop waits.
; THREADS: a=@count() b=@count()
; EXISTS: ~ @c = 2
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@l = global i32 0
@c = global i32 0

define void @count() {
entry:
  %i = alloca i32
  br label %try
try:
  %far = phi i32 [ 1, %entry ], [ %twice, %again ]
  %taken = atomicrmw xchg ptr @l, i32 1 acquire
  %free = icmp eq i32 %taken, 0
  br i1 %free, label %inside, label %pause
pause:
  store volatile i32 0, ptr %i
  br label %counting
counting:
  %n = load volatile i32, ptr %i
  %next = add i32 %n, 1
  store volatile i32 %next, ptr %i
  %more = icmp slt i32 %next, %far
  br i1 %more, label %counting, label %again
again:
  %short = icmp slt i32 %far, 64
  %by = zext i1 %short to i32
  %twice = shl i32 %far, %by
  br label %try
inside:
  %r = load i32, ptr @c
  %s = add i32 %r, 1
  store i32 %s, ptr @c
  store atomic i32 0, ptr @l release, align 4
  ret void
}
