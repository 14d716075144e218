; Calls inside calls
; REF: LLVM LangRef, call instruction
; FORALL: @x = 4
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0

define i32 @double(i32 %n) {
  %d = add i32 %n, %n
  ret i32 %d
}

define i32 @quadruple(i32 %n) {
  %d = call i32 @double(i32 %n)
  %q = call i32 @double(i32 %d)
  ret i32 %q
}

define void @t0() {
  %v = call i32 @quadruple(i32 1)
  store i32 %v, ptr @x
  ret void
}
