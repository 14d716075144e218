; S, monotonic: a store may come before the one it saw the consequence of
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; EXISTS: t1:%r = 1 /\ @x = 2
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 2, ptr @x monotonic, align 4
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
