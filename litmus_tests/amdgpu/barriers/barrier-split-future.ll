; Split barrier: what follows the signal may be seen before the wait
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier.signal and llvm.amdgcn.s.barrier.wait
; The store follows its thread's signal, the load precedes the other thread's wait: nothing keeps them apart.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%data = 1
; EXPECT: llvm=Sometimes amdgpu=Sometimes amdgpu-2026=Sometimes

@data = addrspace(3) global i32 0

define void @t0() {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  store atomic i32 1, ptr addrspace(3) @data syncscope("workgroup") monotonic, align 4
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}

define void @t1() {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  %data = load atomic i32, ptr addrspace(3) @data syncscope("workgroup") monotonic, align 4
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}

declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
