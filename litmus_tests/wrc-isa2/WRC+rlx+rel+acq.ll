; WRC: one synchronization forbids it, even if the first read is monotonic
; REF: Batty, Owens, Sarkar, Sewell, Weber: Mathematizing C++ concurrency, POPL 2011
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; Coherence: the read of 1 happens before the read of 0.
; EXISTS: t1:%a = 1 /\ t2:%b = 1 /\ t2:%c = 0
; EXPECT: llvm=Never llvm/direct=Never
; EXPECT: rc11=Never sc=Never tso=Never

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
  %b = load atomic i32, ptr @y acquire, align 4
  %c = load atomic i32, ptr @x monotonic, align 4
  ret void
}
