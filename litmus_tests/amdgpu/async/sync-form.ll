; The form without async is complete at the next instruction
; REF: LLVM, AMDGPUAsyncOperations.md
; SCOPES: (agent (workgroup t0))
; PROFILE: amdgpu
; EXISTS: ~(t0:%v = 7)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
@g = addrspace(1) global i32 7
@l = addrspace(3) global i32 0
define void @t0() {
  call void @llvm.amdgcn.load.to.lds.p1(ptr addrspace(1) @g, ptr addrspace(3) @l, i32 4, i32 0, i32 0)
  %v = load i32, ptr addrspace(3) @l
  ret void
}
declare void @llvm.amdgcn.load.to.lds.p1(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
