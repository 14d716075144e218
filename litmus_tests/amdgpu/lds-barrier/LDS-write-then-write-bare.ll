; A barrier alone does not order two writes
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; REF: https://github.com/ROCm/rocm-libraries/pull/10893
; The final value is undef.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: @data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@data = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  store i32 2, ptr addrspace(3) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()
