; The same with fences for global memory
; REF: LLVM AMDGPUUsage, memory model of execution barriers
; REF: LLVM LangRef, Vector Type
; The neighbour of tile+local.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%element = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@tile = addrspace(3) global [4 x float] undef

define void @t0() {
  store <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>, ptr addrspace(3) @tile, align 16
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"global"}
  %p = getelementptr float, ptr addrspace(3) @tile, i32 2
  %element = load float, ptr addrspace(3) %p
  ret void
}

declare void @llvm.amdgcn.s.barrier()
