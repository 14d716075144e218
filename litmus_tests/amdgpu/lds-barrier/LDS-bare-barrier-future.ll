; A barrier alone: no value comes from beyond it
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; REF: https://github.com/ROCm/rocm-libraries/pull/10893
; The store is executed after the barrier and the load before it: the load cannot return the value, order or no
; order.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%data = 1
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global i32 0

define void @t0() {
  call void @llvm.amdgcn.s.barrier()
  store atomic i32 1, ptr addrspace(3) @data syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %data = load atomic i32, ptr addrspace(3) @data syncscope("workgroup") monotonic, align 4
  call void @llvm.amdgcn.s.barrier()
  ret void
}

declare void @llvm.amdgcn.s.barrier()
