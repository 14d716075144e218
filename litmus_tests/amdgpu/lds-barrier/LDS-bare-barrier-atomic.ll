; A barrier alone does not even order atomic accesses
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; REF: https://github.com/ROCm/rocm-libraries/pull/10893
; The load after the barrier may still return the initial value; there is no race.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%data = 0
; EXPECT: llvm=Sometimes amdgpu=Sometimes amdgpu-2026=Sometimes

@data = addrspace(3) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(3) @data syncscope("workgroup") monotonic, align 4
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  %data = load atomic i32, ptr addrspace(3) @data syncscope("workgroup") monotonic, align 4
  ret void
}

declare void @llvm.amdgcn.s.barrier()
