; Split barrier: a thread that waits and never signals
; REF: LLVM, AMDGPUExecutionSynchronization.md: a wait that never completes is undefined
; The barrier expects an arrival of each wave of the workgroup.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%data = 1
; EXPECT: llvm=Never+ub+ub-barrier amdgpu=Never+ub+ub-barrier amdgpu-2026=Never+ub+ub-barrier

@data = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
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
