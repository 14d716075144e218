; S: a data dependency does not replace acquire
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; Processors order the dependent store; LLVM and C do not promise it.
; EXISTS: t1:%r = 1 /\ @x = 2
; EXPECT: llvm=Sometimes
; EXPECT: rc11=Sometimes sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  store atomic i32 2, ptr @x monotonic, align 4
  store atomic i32 1, ptr @y release, align 4
  ret void
}

define void @t1() {
  %r = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %r, ptr @x monotonic, align 4
  ret void
}
