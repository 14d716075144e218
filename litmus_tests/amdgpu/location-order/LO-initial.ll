; Location order: the initial write is before everything
; REF: AMDGPU Memory Model, Location Order
; It needs no availability operation, and no scope keeps a reader from it.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: ~(t0:%near = 0 /\ t1:%plain = 0)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0

define void @t0() {
  %near = load atomic i32, ptr addrspace(1) @data syncscope("wavefront") monotonic, align 4
  ret void
}

define void @t1() {
  %plain = load i32, ptr addrspace(1) @data
  ret void
}
