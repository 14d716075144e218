; Taking a lock by exchanges without giving up: the bound on loops cuts what still tries
; REF: Herlihy, Shavit: The Art of Multiprocessor Programming, 2008, section 7.2
; Each attempt writes, so this loop does more than wait. The executions that leave the loop are all found; those that are cut are counted and reported.
; UNROLL: 3
; EXISTS: t1:%held = 0

@lock = global i32 1

define void @t0() {
  store atomic i32 0, ptr @lock release, align 4
  ret void
}

define void @t1() {
  br label %try
try:
  %held = atomicrmw xchg ptr @lock, i32 1 acquire, align 4
  %taken = icmp eq i32 %held, 1
  br i1 %taken, label %try, label %ready
ready:
  ret void
}
