; R, monotonic: a store may overtake, and the load after it miss
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; EXISTS: @y = 2 /\ t1:%r = 0
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Sometimes

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 2, ptr @y monotonic, align 4
  %r = load atomic i32, ptr @x monotonic, align 4
  ret void
}
