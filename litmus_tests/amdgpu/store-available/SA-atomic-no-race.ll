; store-available: atomic accesses with inclusive scopes do not race
; REF: AMDGPU Memory Model, store-available
; The other side of SA-av-not-atomic: the load returns one of the two values.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%data = undef
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(1) @data syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %data = load atomic i32, ptr addrspace(1) @data syncscope("agent") monotonic, align 4
  ret void
}
