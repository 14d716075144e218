; WRC, monotonic: a third thread may miss the store that the second has seen
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; EXISTS: t1:%a = 1 /\ t2:%b = 1 /\ t2:%c = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  %a = load atomic i32, ptr @x monotonic, align 4
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t2() {
  %b = load atomic i32, ptr @y monotonic, align 4
  %c = load atomic i32, ptr @x monotonic, align 4
  ret void
}
