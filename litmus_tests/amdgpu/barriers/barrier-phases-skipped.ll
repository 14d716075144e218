; Phases: fences around one barrier are enough for what comes after the next one
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; The second barrier is bare; happens-before from the first carries over.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  call void @llvm.amdgcn.s.barrier()
  %data = load i32, ptr addrspace(3) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()
