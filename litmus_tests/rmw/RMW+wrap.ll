; atomicrmw uinc_wrap and udec_wrap count around a limit
; REF: LLVM LangRef, atomicrmw instruction
; Each register is the value before its operation.
; FORALL: t0:%b = 3 /\ t0:%c = 0 /\ @x = 5
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 2

define void @t0() {
  %a = atomicrmw uinc_wrap ptr @x, i32 3 monotonic, align 4
  %b = atomicrmw uinc_wrap ptr @x, i32 3 monotonic, align 4
  %c = atomicrmw udec_wrap ptr @x, i32 5 monotonic, align 4
  ret void
}
