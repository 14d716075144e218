; Two phases of one object, and what each orders
; REF: LLVM, AMDGPUExecutionSynchronization.md
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
; EXISTS: ~(t1:%v = 1)
; EXPECT: llvm=Never
@b = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison
@l = addrspace(3) global i32 0
define void @t0() {
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @b, i32 2)
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @b)
  call void @llvm.amdgcn.s.barrier()
  store i32 1, ptr addrspace(3) @l
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @b, i32 0)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @b, i32 0)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  ret void
}
define void @t1() {
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @b)
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @b, i32 0)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  fence syncscope("workgroup") acquire
  %v = load i32, ptr addrspace(3) @l
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @b, i32 0)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  ret void
}
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(3))
declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
