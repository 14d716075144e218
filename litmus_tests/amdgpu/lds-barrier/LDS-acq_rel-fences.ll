; One acq_rel fence on each side of the barrier
; REF: MLIR amdgpu.lds_barrier lowering; https://github.com/llvm/llvm-project/pull/157919
; What some lowerings write instead of release and acquire.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup") acq_rel, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acq_rel, !mmra !{!"amdgpu-synchronize-as", !"local"}
  ret void
}

define void @t1() {
  fence syncscope("workgroup") acq_rel, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acq_rel, !mmra !{!"amdgpu-synchronize-as", !"local"}
  %data = load i32, ptr addrspace(3) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()
