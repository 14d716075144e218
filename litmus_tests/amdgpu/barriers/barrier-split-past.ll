; Split barrier: what follows the wait cannot be seen before the signal
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier.signal and llvm.amdgcn.s.barrier.wait
; The load precedes its thread's signal, for which the other thread waits before it stores.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%data = 1
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global i32 0

define void @t0() {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  store atomic i32 1, ptr addrspace(3) @data syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %data = load atomic i32, ptr addrspace(3) @data syncscope("workgroup") monotonic, align 4
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}

declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
