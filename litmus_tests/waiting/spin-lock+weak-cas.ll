; A spin lock by a weak compare-and-swap: one that fails for no reason is tried again
; REF: Herlihy, Shavit: The Art of Multiprocessor Programming, 2008, section 7.2
; A failure without a reason does not go on for ever, so no thread is stuck.
; EXISTS: ~(@counter = 2)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@lock = global i32 0
@counter = global i32 0

define void @enter() {
  br label %try
try:
  %got = cmpxchg weak ptr @lock, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %got, 1
  br i1 %taken, label %done, label %try
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
