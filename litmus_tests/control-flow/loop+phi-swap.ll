; The phis of a block are evaluated at once
; REF: LLVM LangRef, phi instruction
; Two values are exchanged three times.
; FORALL: @x = 2 /\ @y = 1
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0
@y = global i32 0

define void @t0() {
  br label %loop
loop:
  %a = phi i32 [ 1, %0 ], [ %b, %loop ]
  %b = phi i32 [ 2, %0 ], [ %a, %loop ]
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp sle i32 %next, 3
  br i1 %more, label %loop, label %exit
exit:
  store i32 %a, ptr @x
  store i32 %b, ptr @y
  ret void
}
