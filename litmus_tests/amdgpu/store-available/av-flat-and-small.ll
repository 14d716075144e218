; store-available, load-visible: flat addresses, and values of 32 bits
; REF: LLVM, AMDGPUMemoryModel.md; llvm/test/CodeGen/AMDGPU has forms of 16, 32 and 64 bits too
; The scope of the store is too small: it is not available to the other workgroup.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: amdgpu=Sometimes+race amdgpu-2026=Sometimes+race
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  %p = addrspacecast ptr addrspace(1) @data to ptr
  call void @llvm.amdgcn.av.store.b32.p0(ptr %p, i32 1, metadata !1)
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !0
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !0
  %data = call i32 @llvm.amdgcn.av.load.b32.p1(ptr addrspace(1) @data, metadata !2)
  ret void
}

declare void @llvm.amdgcn.av.store.b32.p0(ptr, i32, metadata)
declare i32 @llvm.amdgcn.av.load.b32.p1(ptr addrspace(1), metadata)

!0 = !{!"amdgcn-av", !"none"}
!1 = !{!"workgroup"}
!2 = !{!"agent"}
