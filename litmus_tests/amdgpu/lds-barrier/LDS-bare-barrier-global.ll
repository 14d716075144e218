; A barrier alone makes nothing visible: global memory
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; REF: https://github.com/ROCm/rocm-libraries/pull/10893
; As LDS-bare-barrier.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race

@data = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  %data = load i32, ptr addrspace(1) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()
