; Value: one narrow write among others spoils the read
; REF: AMDGPU Memory Model, Location Order, the value of a read
; All operations must have inclusive scopes.
; SCOPES: (agent (workgroup t0) (workgroup t1) (workgroup t2))
; EXISTS: t2:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@data = addrspace(1) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(1) @data syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 2, ptr addrspace(1) @data syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t2() {
  %data = load atomic i32, ptr addrspace(1) @data syncscope("agent") monotonic, align 4
  ret void
}
