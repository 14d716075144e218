; Tags of the two fences: one tag in common with the access is enough
; REF: MLIR amdgpu.lds_barrier lowering; https://github.com/llvm/llvm-project/pull/157919
; The acquire is tagged with both address spaces, the release with local.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release, !mmra !1
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !1
  %data = load i32, ptr addrspace(3) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()

!0 = !{!"amdgpu-synchronize-as", !"local"}
!1 = !{!{!"amdgpu-synchronize-as", !"global"}, !{!"amdgpu-synchronize-as", !"local"}}
