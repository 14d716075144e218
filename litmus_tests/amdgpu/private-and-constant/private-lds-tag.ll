; Private memory: fences of local memory do not touch it
; REF: LLVM AMDGPUUsage, Address Spaces
; REF: LLVM AMDGPUUsage, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; Under the profile amdgpu accesses to addrspace(5) have no tag; inside of a thread program order is all that
; counts.
; THREADS: t0=@kernel(i32 1) t1=@kernel(i32 2)
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
; EXISTS: ~(t0:%got = 1 /\ t1:%got = 2)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never


define void @kernel(i32 %id) {
  %slot = alloca i32, addrspace(5)
  store i32 %id, ptr addrspace(5) %slot
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  %got = load i32, ptr addrspace(5) %slot
  ret void
}

declare void @llvm.amdgcn.s.barrier()
