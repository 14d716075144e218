; Lanes follow each other in LDS: each copies to four bytes of its own
; REF: LLVM, AMDGPUAsyncOperations.md
; SCOPES: (agent (workgroup (wavefront t0 t1)))
; PROFILE: amdgpu
; EXISTS: ~(t0:%v = 7 /\ t1:%v = 8)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
@g = addrspace(1) global [2 x i32] [i32 7, i32 8]
@l = addrspace(3) global [2 x i32] zeroinitializer
define void @t0() {
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) @g, ptr addrspace(3) @l, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  %v = load i32, ptr addrspace(3) @l
  ret void
}
define void @t1() {
  %g1 = getelementptr i32, ptr addrspace(1) @g, i32 1
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %g1, ptr addrspace(3) @l, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  %p = getelementptr i32, ptr addrspace(3) @l, i32 1
  %v = load i32, ptr addrspace(3) %p
  ret void
}
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare void @llvm.amdgcn.wait.asyncmark(i16)
