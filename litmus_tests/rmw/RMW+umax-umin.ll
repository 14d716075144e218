; atomicrmw umax and umin compare unsigned values
; REF: LLVM LangRef, atomicrmw instruction
; Each register is the value before its operation.
; FORALL: t0:%b = -1 /\ @x = 9
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 -1

define void @t0() {
  %a = atomicrmw umax ptr @x, i32 5 monotonic, align 4
  %b = atomicrmw umin ptr @x, i32 9 monotonic, align 4
  ret void
}
