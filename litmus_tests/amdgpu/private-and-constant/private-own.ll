; Private memory: each thread has its own
; REF: LLVM AMDGPUUsage, Address Spaces
; Two threads of a workgroup run one kernel; the bare barrier in between does not matter.
; THREADS: t0=@kernel(i32 1) t1=@kernel(i32 2)
; SCOPES: (agent (workgroup t0 t1))
; EXISTS: ~(t0:%got = 1 /\ t1:%got = 2)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never


define void @kernel(i32 %id) {
  %slot = alloca i32, addrspace(5)
  store i32 %id, ptr addrspace(5) %slot
  call void @llvm.amdgcn.s.barrier()
  %got = load i32, ptr addrspace(5) %slot
  ret void
}

declare void @llvm.amdgcn.s.barrier()
