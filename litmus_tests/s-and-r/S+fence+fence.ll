; S: a release fence and an acquire fence forbid it
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; EXISTS: t1:%r = 1 /\ @x = 2
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 2, ptr @x monotonic, align 4
  fence release
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @y monotonic, align 4
  fence acquire
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
