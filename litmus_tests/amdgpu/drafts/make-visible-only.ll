; Nothing makes the write available
; REF: ROCm/llvm-project, drafts of AMDGPUMemoryModel.md
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; EXISTS: t1:%r = 1 /\ t1:%v = undef
; EXPECT: amdgpu-2026=Sometimes+race
@x = addrspace(1) global i32 0
@f = addrspace(1) global i32 0
!0 = !{!"amdgcn-av", !"none"}
define void @t0() {
  store i32 1, ptr addrspace(1) @x
  store atomic i32 1, ptr addrspace(1) @f syncscope("agent") release, align 4, !mmra !0
  ret void
}
define void @t1() {
  %s = call target("amdgcn.scope") @llvm.amdgcn.scope.agent()
  %r = load atomic i32, ptr addrspace(1) @f syncscope("agent") acquire, align 4, !mmra !0
  call void @llvm.amdgcn.make.visible(target("amdgcn.scope") %s)
  %v = load i32, ptr addrspace(1) @x
  ret void
}
declare void @llvm.amdgcn.make.visible(target("amdgcn.scope"))
declare target("amdgcn.scope") @llvm.amdgcn.scope.agent()
