; A store after an access with a dependent address does not depend on it
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Maranget, Sarkar, Sewell: A tutorial introduction to the ARM and POWER relaxed memory models, 2012
; Some processors order it, because the address might fault; LLVM does not.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Sometimes llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0
@z = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  %zero0 = and i32 %r0, 0
  %p0 = getelementptr i32, ptr @z, i32 %zero0
  %unused = load atomic i32, ptr %p0 monotonic, align 4
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  %masked1 = and i32 %r1, 0
  %v1 = or i32 %masked1, 1
  store atomic i32 %v1, ptr @x monotonic, align 4
  ret void
}
