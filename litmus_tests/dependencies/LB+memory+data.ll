; A data dependency passes through a location of the thread itself
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; A local variable in memory keeps the dependency: reads-from inside a thread is part of the cycle.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0
@local = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  store i32 %r0, ptr @local
  %copy = load i32, ptr @local
  %masked0 = and i32 %copy, 0
  %v0 = or i32 %masked0, 1
  store atomic i32 %v0, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  %masked1 = and i32 %r1, 0
  %v1 = or i32 %masked1, 1
  store atomic i32 %v1, ptr @x monotonic, align 4
  ret void
}
