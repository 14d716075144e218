; IRIW, monotonic: two readers may see independent stores in different orders
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; No order between the two loads of a reader is required.
; EXISTS: t2:%a = 1 /\ t2:%b = 0 /\ t3:%c = 1 /\ t3:%d = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t2() {
  %a = load atomic i32, ptr @x monotonic, align 4
  %b = load atomic i32, ptr @y monotonic, align 4
  ret void
}

define void @t3() {
  %c = load atomic i32, ptr @y monotonic, align 4
  %d = load atomic i32, ptr @x monotonic, align 4
  ret void
}
