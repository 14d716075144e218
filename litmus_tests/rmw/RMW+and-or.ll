; atomicrmw and, or
; REF: LLVM LangRef, atomicrmw instruction
; Each register is the value before its operation.
; FORALL: t0:%b = 2 /\ @x = 7
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 10

define void @t0() {
  %a = atomicrmw and ptr @x, i32 6 monotonic, align 4
  %b = atomicrmw or ptr @x, i32 5 monotonic, align 4
  ret void
}
