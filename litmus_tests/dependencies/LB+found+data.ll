; Load buffering: what a compare-exchange finds does not depend on what it expects
; A store of it may be done before it is known what was expected, unless the exchange is made.
; EXISTS: t0:%r = 1
; EXPECT: llvm=Sometimes llvm/rc11=Never amdgpu=Sometimes

@x = global i32 0
@y = global i32 0
@u = global i32 1

define void @t0() {
  %r = load atomic i32, ptr @x monotonic, align 4
  %other = add i32 %r, 5
  %pair = cmpxchg ptr @u, i32 %other, i32 2 monotonic monotonic
  %found = extractvalue { i32, i1 } %pair, 0
  store atomic i32 %found, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %s = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %s, ptr @x monotonic, align 4
  ret void
}
