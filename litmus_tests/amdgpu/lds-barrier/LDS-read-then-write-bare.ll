; A barrier alone does not keep a later write out of an earlier read
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; REF: https://github.com/ROCm/rocm-libraries/pull/10893
; One notch below LDS-read-then-write: the accesses race.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@data = addrspace(3) global i32 0

define void @t0() {
  call void @llvm.amdgcn.s.barrier()
  store i32 1, ptr addrspace(3) @data
  ret void
}

define void @t1() {
  %data = load i32, ptr addrspace(3) @data
  call void @llvm.amdgcn.s.barrier()
  ret void
}

declare void @llvm.amdgcn.s.barrier()
