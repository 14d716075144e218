; A spin lock that looks before it exchanges (test and test-and-set): no update is lost
; REF: Herlihy, Shavit: The Art of Multiprocessor Programming, 2008, section 7.2
; A failed attempt writes what it has read: it is left out, as one that only reads is.
; EXISTS: ~(@counter = 2)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@lock = global i32 0
@counter = global i32 0

define void @enter() {
  br label %look
look:
  %seen = load atomic i32, ptr @lock monotonic, align 4
  %free = icmp eq i32 %seen, 0
  br i1 %free, label %try, label %look
try:
  %held = atomicrmw xchg ptr @lock, i32 1 acquire
  %taken = icmp eq i32 %held, 0
  br i1 %taken, label %done, label %look
done:
  ret void
}

define void @add() {
  call void @enter()
  %old = load i32, ptr @counter
  %new = add i32 %old, 1
  store i32 %new, ptr @counter
  store atomic i32 0, ptr @lock release, align 4
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
