; A value that a phi chooses carries the control dependency
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
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
  %v0 = phi i32 [ 1, %0 ], [ 2, %other ]
  store atomic i32 %v0, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  %c1 = icmp eq i32 %r1, 1
  br i1 %c1, label %join, label %other
other:
  br label %join
join:
  %v1 = phi i32 [ 1, %0 ], [ 2, %other ]
  store atomic i32 %v1, ptr @x monotonic, align 4
  ret void
}
