; A barrier between non-av fences: atomic accesses to global memory
; REF: MLIR amdgpu.lds_barrier lowering; https://github.com/llvm/llvm-project/pull/157919
; REF: AMDGPU Memory Model, MakeAvailable and MakeVisible
; They are store-available and load-visible in the workgroup: the order is all that is missing.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(1) @data syncscope("workgroup") monotonic, align 4
  fence syncscope("workgroup") release, !mmra !{!"amdgcn-av", !"none"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release, !mmra !{!"amdgcn-av", !"none"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgcn-av", !"none"}
  %data = load atomic i32, ptr addrspace(1) @data syncscope("workgroup") monotonic, align 4
  ret void
}

declare void @llvm.amdgcn.s.barrier()
