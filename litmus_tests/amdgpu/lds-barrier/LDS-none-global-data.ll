; A barrier between non-av fences: data in global memory
; REF: MLIR amdgpu.lds_barrier lowering; https://github.com/llvm/llvm-project/pull/157919
; REF: AMDGPU Memory Model, MakeAvailable and MakeVisible
; Global memory is not available by itself in 2026 either.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%data = undef
; EXPECT: llvm=Never amdgpu=Always+race amdgpu-2026=Always+race

@data = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("workgroup") release, !mmra !{!"amdgcn-av", !"none"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release, !mmra !{!"amdgcn-av", !"none"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgcn-av", !"none"}
  %data = load i32, ptr addrspace(1) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()
