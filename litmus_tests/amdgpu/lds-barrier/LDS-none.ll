; amdgpu.lds_barrier with amdgcn-av:none on both fences
; REF: MLIR amdgpu.lds_barrier lowering; https://github.com/llvm/llvm-project/pull/157919
; REF: AMDGPU Memory Model, MakeAvailable and MakeVisible
; REF: AMDGPU Memory Model, addrspace(3); https://github.com/llvm/llvm-project/pull/212707
; Ordered, but neither available nor visible: undef, which may be 1 or not; LLVM does not mind. As of 2026 accesses
; to local memory are so by themselves.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Never

@data = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup") release, !mmra !{!{!"amdgpu-synchronize-as", !"local"}, !{!"amdgcn-av", !"none"}}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!{!"amdgpu-synchronize-as", !"local"}, !{!"amdgcn-av", !"none"}}
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release, !mmra !{!{!"amdgpu-synchronize-as", !"local"}, !{!"amdgcn-av", !"none"}}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!{!"amdgpu-synchronize-as", !"local"}, !{!"amdgcn-av", !"none"}}
  %data = load i32, ptr addrspace(3) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()
