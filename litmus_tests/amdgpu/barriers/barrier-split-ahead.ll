; Split barrier: a thread arrives twice and never waits
; REF: LLVM, AMDGPUExecutionSynchronization.md: the operations that take part in a wait are an interval of the modification order
; Two arrivals complete the barrier, whichever threads they are of. In each way to run this an arrival of t0 takes part in
; t1's first wait, and the store is before both.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%data = 1
; EXPECT: amdgpu-2026=Always

@data = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  ret void
}

define void @t1() {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  fence syncscope("workgroup") acquire
  %data = load i32, ptr addrspace(3) @data
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}

declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
