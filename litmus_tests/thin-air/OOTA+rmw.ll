; Out of thin air: the halves of a read-modify-write depend on each other, even in an xchg
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; An xchg writes its operand whatever it reads; the model still counts its write as dependent.
; EXISTS: t0:%old = 1 /\ t1:%r1 = 1 /\ t2:%r2 = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@y = global i32 0
@z = global i32 0

define void @t0() {
  %old = atomicrmw xchg ptr @y, i32 1 monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %r1, ptr @z monotonic, align 4
  ret void
}

define void @t2() {
  %r2 = load atomic i32, ptr @z monotonic, align 4
  store atomic i32 %r2, ptr @y monotonic, align 4
  ret void
}
