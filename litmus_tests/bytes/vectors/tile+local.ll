; A tile of local memory, stored as <4 x float> before a barrier, is read as float after it
; REF: LLVM AMDGPUUsage, memory model of execution barriers
; REF: LLVM LangRef, Vector Type
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: ~(t1:%element = 3.0)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@tile = addrspace(3) global [4 x float] undef

define void @t0() {
  store <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>, ptr addrspace(3) @tile, align 16
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  %p = getelementptr float, ptr addrspace(3) @tile, i32 2
  %element = load float, ptr addrspace(3) %p
  ret void
}

declare void @llvm.amdgcn.s.barrier()
