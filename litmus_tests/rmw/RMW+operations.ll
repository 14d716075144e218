; The integer operations of atomicrmw, one after the other
; REF: LLVM LangRef, atomicrmw instruction
; Each register is the value before its operation.
; FORALL: t0:%xor = 7 /\ t0:%nand = 6 /\ t0:%max = -3 /\ t0:%umax = -1 /\ t0:%xchg = 13 /\ t0:%dec = 0 /\ @x = 5
; EXPECT: llvm=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i32 12

define void @t0() {
  %sub = atomicrmw sub ptr @x, i32 2 monotonic, align 4
  %and = atomicrmw and ptr @x, i32 6 monotonic, align 4
  %or = atomicrmw or ptr @x, i32 5 monotonic, align 4
  %xor = atomicrmw xor ptr @x, i32 1 monotonic, align 4
  %nand = atomicrmw nand ptr @x, i32 3 monotonic, align 4
  %max = atomicrmw max ptr @x, i32 4 monotonic, align 4
  %min = atomicrmw min ptr @x, i32 -1 monotonic, align 4
  %umax = atomicrmw umax ptr @x, i32 5 monotonic, align 4
  %umin = atomicrmw umin ptr @x, i32 9 monotonic, align 4
  %add = atomicrmw add ptr @x, i32 4 monotonic, align 4
  %xchg = atomicrmw xchg ptr @x, i32 3 monotonic, align 4
  %inc = atomicrmw uinc_wrap ptr @x, i32 3 monotonic, align 4
  %dec = atomicrmw udec_wrap ptr @x, i32 5 monotonic, align 4
  ret void
}
