; A barrier between fences of global memory: data in global memory
; REF: MLIR amdgpu.lds_barrier lowering; https://github.com/llvm/llvm-project/pull/157919
; The mirror image of LDS-barrier.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never

@data = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"global"}
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"global"}
  %data = load i32, ptr addrspace(1) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()
