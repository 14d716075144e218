; A barrier between fences of global memory: data in local memory is not ordered
; REF: MLIR amdgpu.lds_barrier lowering; https://github.com/llvm/llvm-project/pull/157919
; REF: LLVM AMDGPUUsage, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; The mirror image of LDS-barrier-global-data.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race
; EXPECT: llvm@generic=Never amdgpu@generic=Never

@data = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"global"}
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"global"}
  %data = load i32, ptr addrspace(3) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()
