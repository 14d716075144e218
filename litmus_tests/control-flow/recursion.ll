; A recursion that ends within the bound
; REF: LLVM LangRef, call instruction
; Three additions, then the call without one.
; UNROLL: 5
; FORALL: @x = 3
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0

define void @countdown(i32 %n) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %end, label %again
again:
  %old = atomicrmw add ptr @x, i32 1 monotonic, align 4
  %less = sub i32 %n, 1
  call void @countdown(i32 %less)
  br label %end
end:
  ret void
}

define void @t0() {
  call void @countdown(i32 3)
  ret void
}
