; Location order: a write is before the later reads of its own thread
; REF: AMDGPU Memory Model, Location Order
; No availability or visibility is asked for inside of a thread.
; EXISTS: ~(t0:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  %data = load i32, ptr addrspace(1) @data
  ret void
}
