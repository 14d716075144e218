; WRC: without the acquire it is allowed
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; One notch weaker than WRC+rlx+rel+acq.
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
  store atomic i32 1, ptr @y release, align 4
  ret void
}

define void @t2() {
  %b = load atomic i32, ptr @y monotonic, align 4
  %c = load atomic i32, ptr @x monotonic, align 4
  ret void
}
