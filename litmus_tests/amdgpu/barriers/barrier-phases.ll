; Phases: what is written between two barriers is not read before the second one
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; The store comes after the first barrier, the load before the second: a race.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@data = addrspace(3) global i32 0

define void @t0() {
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %data = load i32, ptr addrspace(3) @data
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  ret void
}

declare void @llvm.amdgcn.s.barrier()
