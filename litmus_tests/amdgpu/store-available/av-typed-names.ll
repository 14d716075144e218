; store-available, load-visible: names with the type of the address, as compilers write them
; REF: LLVM, AMDGPUMemoryModel.md: llvm.amdgcn.av.store.b128 and .load.b128 are overloaded
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = <1, 1, 1, 1>)
; EXPECT: llvm=Never+race amdgpu=Never+race amdgpu-2026=Never+race
@data = addrspace(1) global <4 x i32> zeroinitializer
@flag = addrspace(1) global i32 0

define void @t0() {
  call void @llvm.amdgcn.av.store.b128.p1(ptr addrspace(1) @data, <4 x i32> splat (i32 1), metadata !1)
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !0
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !0
  %data = call <4 x i32> @llvm.amdgcn.av.load.b128.p1(ptr addrspace(1) @data, metadata !1)
  ret void
}

declare void @llvm.amdgcn.av.store.b128.p1(ptr addrspace(1), <4 x i32>, metadata)
declare <4 x i32> @llvm.amdgcn.av.load.b128.p1(ptr addrspace(1), metadata)

!0 = !{!"amdgcn-av", !"none"}
!1 = !{!"agent"}
