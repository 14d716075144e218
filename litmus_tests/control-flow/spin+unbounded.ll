; Waiting for a flag without giving up: the bound on loops cuts what still spins
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; The executions that leave the loop are all found; those that are cut are counted and reported.
; UNROLL: 3
; EXISTS: t1:%flag = 1

@flag = global i32 0

define void @t0() {
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
  ret void
}
