; A switch is a control dependency, as a branch is
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; Compare LB+ctrl+ctrl.
; EXISTS: t0:%r0 = 1 /\ t1:%r1 = 1
; EXPECT: llvm=Never llvm/none=Sometimes
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r0 = load atomic i32, ptr @x monotonic, align 4
  switch i32 %r0, label %done [ i32 1, label %one ]
one:
  store atomic i32 1, ptr @y monotonic, align 4
  br label %done
done:
  ret void
}

define void @t1() {
  %r1 = load atomic i32, ptr @y monotonic, align 4
  switch i32 %r1, label %done [ i32 1, label %one ]
one:
  store atomic i32 1, ptr @x monotonic, align 4
  br label %done
done:
  ret void
}
