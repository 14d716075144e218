; Fences for different address spaces around a barrier: only the profile amdgpu-strict keeps them from synchronizing
; REF: LLVM AMDGPUUsage, memory model of execution barriers; profile amdgpu-strict
; The release is for local memory, the acquire for global memory, and an acquire load without tags, which cannot pair
; with the barrier, is the step from the fence to the load of local memory. In the reading direct that is one step too
; many for happens-before; the model amdgpu takes it all the same, as the store is visible at the acquire load already.
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
; EXISTS: t1:%v = undef
; EXPECT: llvm=Never llvm/direct=Always+race llvm@amdgpu-strict=Always+race
; EXPECT: amdgpu=Never amdgpu/direct=Never amdgpu@amdgpu-strict=Always+race

@l = addrspace(3) global i32 0
@g = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(3) @l
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  ret void
}
define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !1
  %w = load atomic i32, ptr addrspace(1) @g syncscope("workgroup") acquire, align 4
  %v = load i32, ptr addrspace(3) @l
  ret void
}
declare void @llvm.amdgcn.s.barrier()
!0 = !{!"amdgpu-synchronize-as", !"local"}
!1 = !{!"amdgpu-synchronize-as", !"global"}
