; Threads share one kernel: the thread's number selects its element of an array
; REF: Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014
; Store buffering on two elements, seq_cst.
; THREADS: a=@kernel(i32 0) b=@kernel(i32 1)
; EXISTS: a:%seen = 0 /\ b:%seen = 0
; EXPECT: llvm=Never
; EXPECT: rc11=Never sc=Never tso=Sometimes

@slots = global [2 x i32] zeroinitializer

define void @kernel(i32 %id) {
  %other = sub i32 1, %id
  %mine = getelementptr [2 x i32], ptr @slots, i32 0, i32 %id
  %theirs = getelementptr [2 x i32], ptr @slots, i32 0, i32 %other
  store atomic i32 1, ptr %mine seq_cst, align 4
  %seen = load atomic i32, ptr %theirs seq_cst, align 4
  ret void
}
