; A barrier between fences without tags orders every address space
; REF: MLIR amdgpu.lds_barrier lowering; https://github.com/llvm/llvm-project/pull/157919
; REF: LLVM AMDGPUUsage, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; What gpu.barrier and __syncthreads become.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: ~(t1:%near = 1 /\ t1:%far = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@near = addrspace(3) global i32 0
@far = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @near
  store i32 1, ptr addrspace(1) @far
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %near = load i32, ptr addrspace(3) @near
  %far = load i32, ptr addrspace(1) @far
  ret void
}

declare void @llvm.amdgcn.s.barrier()
