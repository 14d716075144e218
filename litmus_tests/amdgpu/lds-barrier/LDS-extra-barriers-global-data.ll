; Barriers before the release and after the acquire fence: fences for local memory still do not order global data
; REF: MLIR amdgpu.lds_barrier lowering; https://github.com/llvm/llvm-project/pull/157919
; REF: LLVM MMRA document, The happens-before Relation
; Neighbour of LDS-barrier-global-data: a barrier beside a fence is no step from the store to the fence.
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
; EXISTS: t1:%v = undef
; EXPECT: llvm=Always+race llvm/direct=Always+race llvm/filtered=Always+race
; EXPECT: amdgpu=Always+race amdgpu/direct=Always+race amdgpu/filtered=Always+race

@data = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @data
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  ret void
}
define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  %v = load i32, ptr addrspace(1) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()

!0 = !{!"amdgpu-synchronize-as", !"local"}
