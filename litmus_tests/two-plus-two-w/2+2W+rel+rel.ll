; 2+2W: release stores allow it
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; Nobody reads, so nothing synchronizes.
; EXISTS: @x = 1 /\ @y = 1
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 1, ptr @x release, align 4
  store atomic i32 2, ptr @y release, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr @y release, align 4
  store atomic i32 2, ptr @x release, align 4
  ret void
}
