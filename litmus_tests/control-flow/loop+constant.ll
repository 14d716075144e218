; A loop with a constant trip count runs to its end
; REF: LLVM LangRef, br instruction
; Five rounds, beyond the default bound for loops that depend on what is read.
; FORALL: @x = 5
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0

define void @t0() {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %i, 1
  store i32 %next, ptr @x
  %more = icmp slt i32 %next, 5
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
