; 2+2W, monotonic: both first stores may be last in modification order
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; Modification orders of different locations are independent.
; EXISTS: @x = 1 /\ @y = 1
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  store atomic i32 2, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  store atomic i32 2, ptr @x monotonic, align 4
  ret void
}
