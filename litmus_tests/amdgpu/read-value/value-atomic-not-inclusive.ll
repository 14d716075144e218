; Value: an atomic read of a racing atomic write whose scope leaves the reader out
; REF: AMDGPU Memory Model, Location Order, the value of a read
; Atomic is not enough: undef, and a race.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@data = addrspace(1) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(1) @data syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %data = load atomic i32, ptr addrspace(1) @data syncscope("agent") monotonic, align 4
  ret void
}
