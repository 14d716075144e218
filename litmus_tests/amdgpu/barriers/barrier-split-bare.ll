; Split barrier: without fences it makes nothing visible
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier.signal and llvm.amdgcn.s.barrier.wait
; As with the whole one.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@data = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}

define void @t1() {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  %data = load i32, ptr addrspace(3) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
