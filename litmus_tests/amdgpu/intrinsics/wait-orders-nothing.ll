; Waits for counters, scheduling barriers and priorities order nothing in the model
; REF: LLVM, AMDGPUUsage, llvm.amdgcn.s.waitcnt, llvm.amdgcn.sched.barrier
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
; EXISTS: t1:%f = 1 /\ t1:%v = undef
; EXPECT: llvm=Sometimes+race
; EXPECT: amdgpu-2026=Sometimes+race
@x = addrspace(1) global i32 0
@f = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @x
  call void @llvm.amdgcn.s.setprio(i16 1)
  call void @llvm.amdgcn.s.waitcnt(i32 0)
  call void @llvm.amdgcn.sched.barrier(i32 0)
  store atomic i32 1, ptr addrspace(1) @f syncscope("workgroup") monotonic, align 4
  ret void
}
define void @t1() {
  %f = load atomic i32, ptr addrspace(1) @f syncscope("workgroup") monotonic, align 4
  call void @llvm.amdgcn.wave.barrier()
  %v = load i32, ptr addrspace(1) @x
  ret void
}
declare void @llvm.amdgcn.s.setprio(i16)
declare void @llvm.amdgcn.s.waitcnt(i32)
declare void @llvm.amdgcn.sched.barrier(i32)
declare void @llvm.amdgcn.wave.barrier()
