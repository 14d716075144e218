; A 64-bit counter read as a whole: the old value or the new one
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; The neighbour of tear-counter+halves. All accesses agree, and the counter is one cell.
; EXISTS: t1:%low = 0 /\ t1:%high = 0
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@counter = global i64 4294967295

define void @t0() {
  %old = atomicrmw add ptr @counter, i64 1 monotonic, align 8
  ret void
}

define void @t1() {
  %whole = load atomic i64, ptr @counter monotonic, align 8
  %low = trunc i64 %whole to i32
  %shifted = lshr i64 %whole, 32
  %high = trunc i64 %shifted to i32
  ret void
}
