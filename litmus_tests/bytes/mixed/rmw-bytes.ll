; Read-modify-writes of neighbouring bytes do not disturb each other
; REF: LLVM LangRef, Atomic Memory Ordering Constraints
; No two accesses overlap.
; FORALL: @x = 257
; EXPECT: llvm=Always amdgpu=Always
; EXPECT: rc11=Always sc=Always tso=Always

@x = global i16 0

define void @t0() {
  %old = atomicrmw add ptr @x, i8 1 monotonic, align 1
  ret void
}

define void @t1() {
  %p = getelementptr i8, ptr @x, i64 1
  %old = atomicrmw add ptr %p, i8 1 monotonic, align 1
  ret void
}
