; Out of thin air: a cycle that no value solves has no execution, whatever the axiom
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; The values of such a cycle would have to satisfy v = v + 1.
; EXISTS: t0:%r0 = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  %next = add i32 %r0, 1
  store atomic i32 %next, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %r1, ptr @x monotonic, align 4
  ret void
}
