; Location order: a write is before the later writes of its own thread
; REF: AMDGPU Memory Model, Location Order
; The final value is the last one.
; EXISTS: ~(@data = 2)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store i32 2, ptr addrspace(1) @data
  ret void
}
