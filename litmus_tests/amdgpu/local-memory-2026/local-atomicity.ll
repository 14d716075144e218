; Local memory: scopes count for atomicity all the same
; REF: AMDGPU Memory Model, addrspace(3); https://github.com/llvm/llvm-project/pull/212707
; Two wavefronts race with atomics of wavefront scope.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@data = addrspace(3) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(3) @data syncscope("wavefront") monotonic, align 4
  ret void
}

define void @t1() {
  %data = load atomic i32, ptr addrspace(3) @data syncscope("wavefront") monotonic, align 4
  ret void
}
