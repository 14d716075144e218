; Store buffering: release stores and acquire loads do not order a store before a later load
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; Neither load reads from a release, so nothing synchronizes.
; EXISTS: t0:%r0 = 0 /\ t1:%r1 = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x release, align 4
  %r0 = load atomic i32, ptr @y acquire, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y release, align 4
  %r1 = load atomic i32, ptr @x acquire, align 4
  ret void
}
