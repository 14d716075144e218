; atomicrmw add, sub, xchg
; REF: LLVM LangRef, atomicrmw instruction
; Each register is the value before its operation.
; FORALL: t0:%a = 12 /\ t0:%b = 16 /\ t0:%c = 6 /\ @x = 3
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 12

define void @t0() {
  %a = atomicrmw add ptr @x, i32 4 monotonic, align 4
  %b = atomicrmw sub ptr @x, i32 10 monotonic, align 4
  %c = atomicrmw xchg ptr @x, i32 3 monotonic, align 4
  ret void
}
