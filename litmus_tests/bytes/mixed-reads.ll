; Atomic reads of several sizes do not race: no flag
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; EXISTS: ~(t0:%whole = 0 /\ t1:%half = 0)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@x = global i32 0

define void @t0() {
  %whole = load atomic i32, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  %half = load atomic i16, ptr @x monotonic, align 2
  ret void
}
