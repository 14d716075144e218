; Values carried around a loop by phis
; REF: LLVM LangRef, phi instruction
; The sum of 1 to 4.
; FORALL: @x = 10
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0

define void @t0() {
  br label %loop
loop:
  %i = phi i32 [ 1, %0 ], [ %next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %total, %loop ]
  %total = add i32 %sum, %i
  %next = add i32 %i, 1
  %more = icmp sle i32 %next, 4
  br i1 %more, label %loop, label %exit
exit:
  store i32 %total, ptr @x
  ret void
}
