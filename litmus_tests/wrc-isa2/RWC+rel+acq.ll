; RWC: release and acquire allow it
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; The last thread's store and load may be exchanged.
; EXISTS: t1:%a = 1 /\ t1:%b = 0 /\ t2:%c = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x release, align 4
  ret void
}

define void @t1() {
  %a = load atomic i32, ptr @x acquire, align 4
  %b = load atomic i32, ptr @y acquire, align 4
  ret void
}

define void @t2() {
  store atomic i32 1, ptr @y release, align 4
  %c = load atomic i32, ptr @x acquire, align 4
  ret void
}
