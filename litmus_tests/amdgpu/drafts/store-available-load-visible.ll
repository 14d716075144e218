; A store that makes itself available, a load that makes visible what it reads
; REF: ROCm/llvm-project, drafts of AMDGPUMemoryModel.md
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; EXISTS: t1:%r = 1 /\ t1:%v = undef
; EXPECT: amdgpu-2026=Never+race
@x = addrspace(1) global <4 x i32> zeroinitializer
@f = addrspace(1) global i32 0
!0 = !{!"amdgcn-av", !"none"}
define void @t0() {
  %s = call target("amdgcn.scope") @llvm.amdgcn.scope.agent()
  call void @llvm.amdgcn.global.store.available.b128(ptr addrspace(1) @x, <4 x i32> splat (i32 1), target("amdgcn.scope") %s)
  store atomic i32 1, ptr addrspace(1) @f syncscope("agent") release, align 4, !mmra !0
  ret void
}
define void @t1() {
  %s = call target("amdgcn.scope") @llvm.amdgcn.scope.agent()
  %r = load atomic i32, ptr addrspace(1) @f syncscope("agent") acquire, align 4, !mmra !0
  %q = call <4 x i32> @llvm.amdgcn.global.load.visible.b128(ptr addrspace(1) @x, target("amdgcn.scope") %s)
  %v = extractelement <4 x i32> %q, i32 0
  ret void
}
declare <4 x i32> @llvm.amdgcn.global.load.visible.b128(ptr addrspace(1), target("amdgcn.scope"))
declare void @llvm.amdgcn.global.store.available.b128(ptr addrspace(1), <4 x i32>, target("amdgcn.scope"))
declare target("amdgcn.scope") @llvm.amdgcn.scope.agent()
