; A loop whose trip count is read from memory
; REF: LLVM LangRef, br instruction
; The count is 0 or 2, both within the bound: one addition a round.
; UNROLL: 4
; EXISTS: (t1:%count = 2 /\ ~(@x = 2)) \/ (t1:%count = 0 /\ ~(@x = 0))
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@n = global i32 0

define void @t0() {
  store atomic i32 2, ptr @n monotonic, align 4
  ret void
}

define void @t1() {
  %count = load atomic i32, ptr @n monotonic, align 4
  br label %test
test:
  %i = phi i32 [ 0, %0 ], [ %next, %body ]
  %more = icmp slt i32 %i, %count
  br i1 %more, label %body, label %exit
body:
  %old = atomicrmw add ptr @x, i32 1 monotonic, align 4
  %next = add i32 %i, 1
  br label %test
exit:
  ret void
}
