; Store buffering across a bare barrier
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; Both loads may return the initial value: a barrier is no fence.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t0:%y = 0 /\ t1:%x = 0
; EXPECT: llvm=Sometimes amdgpu=Sometimes amdgpu-2026=Sometimes

@x = addrspace(3) global i32 0
@y = addrspace(3) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(3) @x syncscope("workgroup") monotonic, align 4
  call void @llvm.amdgcn.s.barrier()
  %y = load atomic i32, ptr addrspace(3) @y syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  store atomic i32 1, ptr addrspace(3) @y syncscope("workgroup") monotonic, align 4
  call void @llvm.amdgcn.s.barrier()
  %x = load atomic i32, ptr addrspace(3) @x syncscope("workgroup") monotonic, align 4
  ret void
}

declare void @llvm.amdgcn.s.barrier()
