; A barrier alone makes nothing visible: local memory
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; REF: https://github.com/ROCm/rocm-libraries/pull/10893
; No fences: the threads meet, but their accesses are not ordered.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@data = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  %data = load i32, ptr addrspace(3) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()
