; Value: memory that nothing wrote is undef
; REF: AMDGPU Memory Model, Location Order, the value of a read
; Local memory has no initial value in real kernels.
; EXISTS: t0:%data = undef
; EXPECT: llvm=Always amdgpu=Always amdgpu-2026=Always

@buffer = addrspace(3) global i32 undef

define void @t0() {
  %data = load i32, ptr addrspace(3) @buffer
  ret void
}
