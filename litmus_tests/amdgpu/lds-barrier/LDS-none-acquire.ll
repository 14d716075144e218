; amdgpu.lds_barrier with amdgcn-av:none on the acquire fence
; REF: MLIR amdgpu.lds_barrier lowering; https://github.com/llvm/llvm-project/pull/157919
; REF: AMDGPU Memory Model, MakeAvailable and MakeVisible
; REF: AMDGPU Memory Model, addrspace(3); https://github.com/llvm/llvm-project/pull/212707
; The store is not made visible, except as of 2026.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Never

@data = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!{!"amdgpu-synchronize-as", !"local"}, !{!"amdgcn-av", !"none"}}
  %data = load i32, ptr addrspace(3) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()
