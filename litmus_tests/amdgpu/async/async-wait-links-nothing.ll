; A wait joins nothing that tags keep apart: a fence for LDS does not order a store to global memory
; REF: LLVM, AMDGPUAsyncOperations.md
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
; EXISTS: t1:%v = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race
@x = addrspace(1) global i32 0
!0 = !{!"amdgpu-synchronize-as", !"local"}
define void @t0() {
  store i32 1, ptr addrspace(1) @x
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  ret void
}
define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %v = load i32, ptr addrspace(1) @x
  ret void
}
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.wait.asyncmark(i16)
