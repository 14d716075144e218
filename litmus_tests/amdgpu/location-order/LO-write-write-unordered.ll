; Location order: two plain writes without any order
; REF: AMDGPU Memory Model, Location Order
; A race under both models, and the final value is undef.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: @data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@data = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  ret void
}

define void @t1() {
  store i32 2, ptr addrspace(1) @data
  ret void
}
