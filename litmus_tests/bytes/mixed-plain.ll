; Atomic accesses of one size are not mixed where a plain access reads a part
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; The plain read races; the atomic accesses, which cover the same bytes, raise no flag mixed-atomics.
; EXISTS: ~(t1:%whole = 0 \/ t1:%whole = 65537)
; EXPECT: llvm=Never+race amdgpu=Never+race amdgpu-2026=Never+race

@x = global i32 0

define void @t0() {
  store atomic i32 65537, ptr @x monotonic, align 4
  ret void
}

define void @t1() {
  %whole = load atomic i32, ptr @x monotonic, align 4
  ret void
}

define void @t2() {
  %half = load i16, ptr @x, align 2
  ret void
}
