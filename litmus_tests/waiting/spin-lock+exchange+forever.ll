; A spin lock by exchange that nobody releases: who comes second waits for ever
; REF: Herlihy, Shavit: The Art of Multiprocessor Programming, 2008, section 7.2
; The exchange that fails writes what is there: the thread waits as if it only read.
; EXISTS: @counter = 2
; EXPECT: llvm=Never+stuck amdgpu=Never+stuck
; EXPECT: rc11=Never+stuck sc=Never+stuck tso=Never+stuck

@lock = global i32 0
@counter = global i32 0

define void @enter() {
  br label %try
try:
  %held = atomicrmw xchg ptr @lock, i32 1 acquire
  %taken = icmp eq i32 %held, 0
  br i1 %taken, label %done, label %try
done:
  ret void
}

define void @add() {
  call void @enter()
  %old = load i32, ptr @counter
  %new = add i32 %old, 1
  store i32 %new, ptr @counter
  ret void
}

define void @t0() {
  call void @add()
  ret void
}

define void @t1() {
  call void @add()
  ret void
}
