; atomicrmw max and min compare signed values
; REF: LLVM LangRef, atomicrmw instruction
; Each register is the value before its operation.
; FORALL: t0:%b = 4 /\ @x = -1
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 -3

define void @t0() {
  %a = atomicrmw max ptr @x, i32 4 monotonic, align 4
  %b = atomicrmw min ptr @x, i32 -1 monotonic, align 4
  ret void
}
