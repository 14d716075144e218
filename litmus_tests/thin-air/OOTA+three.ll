; Out of thin air: a cycle through three threads
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; EXISTS: t0:%r0 = 42
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0
@z = global i32 0
@unrelated = global i32 42

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  store atomic i32 %r0, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %r1, ptr @z monotonic, align 4
  ret void
}

define void @t2() {
  %r2 = load atomic i32, ptr @z monotonic, align 4
  store atomic i32 %r2, ptr @x monotonic, align 4
  ret void
}
