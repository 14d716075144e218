; A value that a select chooses carries a data dependency on its condition
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  %c0 = icmp eq i32 %r0, 1
  %v0 = select i1 %c0, i32 1, i32 2
  store atomic i32 %v0, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  %c1 = icmp eq i32 %r1, 1
  %v1 = select i1 %c1, i32 1, i32 2
  store atomic i32 %v1, ptr @x monotonic, align 4
  ret void
}
