; Value: an atomic read whose scope leaves the writer out
; REF: AMDGPU Memory Model, Location Order, the value of a read
; The mirror image of value-atomic-not-inclusive.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@data = addrspace(1) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(1) @data monotonic, align 4
  ret void
}

define void @t1() {
  %data = load atomic i32, ptr addrspace(1) @data syncscope("workgroup") monotonic, align 4
  ret void
}
