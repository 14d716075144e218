; Value: local memory after its first write
; REF: AMDGPU Memory Model, Location Order, the value of a read
; The other side of value-no-write.
; EXISTS: ~(t0:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@buffer = addrspace(3) global i32 undef

define void @t0() {
  store i32 1, ptr addrspace(3) @buffer
  %data = load i32, ptr addrspace(3) @buffer
  ret void
}
