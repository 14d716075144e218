; Dynamic LDS: an external array without a size, as extern __shared__ and Triton's global_smem become
; REF: AMDGPUUsage, kernel descriptor, group_segment_fixed_size: the launch adds dynamic LDS to it
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%v = 1
; EXPECT: llvm=Always amdgpu=Always amdgpu-2026=Always

@global_smem = external addrspace(3) global [0 x i8], align 16

define void @t0() {
  %p = getelementptr i8, ptr addrspace(3) @global_smem, i32 1024
  store i32 1, ptr addrspace(3) %p
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %p = getelementptr i8, ptr addrspace(3) @global_smem, i32 1024
  %v = load i32, ptr addrspace(3) %p
  ret void
}

declare void @llvm.amdgcn.s.barrier()
