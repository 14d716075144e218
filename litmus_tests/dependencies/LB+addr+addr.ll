; Address dependencies in both threads forbid load buffering
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Boehm, Demsky: Outlawing ghosts: avoiding out-of-thin-air results, MSPC 2014
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  %zero0 = and i32 %r0, 0
  %p0 = getelementptr i32, ptr @y, i32 %zero0
  store atomic i32 1, ptr %p0 monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  %zero1 = and i32 %r1, 0
  %p1 = getelementptr i32, ptr @x, i32 %zero1
  store atomic i32 1, ptr %p1 monotonic, align 4
  ret void
}
