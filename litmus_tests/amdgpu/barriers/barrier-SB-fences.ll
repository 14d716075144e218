; Store buffering across a barrier between fences
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; Release and acquire are enough here; seq_cst is not needed.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: ~(t0:%y = 1 /\ t1:%x = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@x = addrspace(3) global i32 0
@y = addrspace(3) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(3) @x syncscope("workgroup") monotonic, align 4
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %y = load atomic i32, ptr addrspace(3) @y syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr addrspace(3) @y syncscope("workgroup") monotonic, align 4
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %x = load atomic i32, ptr addrspace(3) @x syncscope("workgroup") monotonic, align 4
  ret void
}

declare void @llvm.amdgcn.s.barrier()
