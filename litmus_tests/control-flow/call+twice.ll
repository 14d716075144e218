; Each call has registers of its own
; REF: LLVM LangRef, call instruction
; The same helper twice in one thread.
; FORALL: t0:%a = 0 /\ t0:%b = 1 /\ @x = 2
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 0

define i32 @next(ptr %counter) {
  %old = atomicrmw add ptr %counter, i32 1 monotonic, align 4
  ret i32 %old
}

define void @t0() {
  %a = call i32 @next(ptr @x)
  %b = call i32 @next(ptr @x)
  ret void
}
