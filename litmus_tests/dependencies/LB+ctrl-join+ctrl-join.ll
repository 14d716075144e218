; Control dependencies reach beyond the point where the branches join
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; A dependency holds from a read to everything in program order after a branch on it.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  %c0 = icmp eq i32 %r0, 1
  br i1 %c0, label %join, label %other
other:
  br label %join
join:
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  %c1 = icmp eq i32 %r1, 1
  br i1 %c1, label %join, label %other
other:
  br label %join
join:
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
