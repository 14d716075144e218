; A thread-private byte that another thread's word covers: the claim is broken
; REF: RFC: Adding a !thread.private metadata, https://lists.llvm.org/pipermail/llvm-dev/2018-September/126124.html
; The neighbour of private+other-byte.
; EXISTS: true
; EXPECT: llvm=Always+race+ub-private+ub amdgpu=Always+race+ub-private+ub

@x = global i16 0

define void @t0() {
  store i8 1, ptr @x, !thread.private !{}
  ret void
}

define void @t1() {
  store i16 514, ptr @x
  ret void
}
