; atomicrmw xor, nand
; REF: LLVM LangRef, atomicrmw instruction
; Each register is the value before its operation.
; FORALL: t0:%b = 6 /\ @x = -3
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 7

define void @t0() {
  %a = atomicrmw xor ptr @x, i32 1 monotonic, align 4
  %b = atomicrmw nand ptr @x, i32 3 monotonic, align 4
  ret void
}
