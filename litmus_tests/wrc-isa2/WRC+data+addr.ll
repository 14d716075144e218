; WRC with dependencies only: LLVM promises nothing
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; REF: Maranget, Sarkar, Sewell: A tutorial introduction to the ARM and POWER relaxed memory models, 2012
; Even processors without multi-copy atomicity allow it; those with it do not.
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
  store atomic i32 %a, ptr @y monotonic, align 4
  ret void
}

define void @t2() {
  %b = load atomic i32, ptr @y monotonic, align 4
  %zero = and i32 %b, 0
  %p = getelementptr i32, ptr @x, i32 %zero
  %c = load atomic i32, ptr %p monotonic, align 4
  ret void
}
