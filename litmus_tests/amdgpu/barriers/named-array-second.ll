; Two elements of an array of named barriers: the second is used
; REF: LLVM, AMDGPUExecutionSynchronization.md
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
; EXISTS: true
; EXPECT: llvm=Always
@b = internal addrspace(3) global [2 x target("amdgcn.named.barrier", 0)] poison
define void @t0() {
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @b, i32 1)
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @b, i32 16), i32 1)
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @b, i32 16), i32 0)
  ret void
}
define void @t1() {
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @b, i32 16))
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  ret void
}
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(3))
declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
