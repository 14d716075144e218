; Property 1: with happens-before the availability and visibility of the accesses take effect
; REF: AMDGPU Memory Model, Properties, 1
; REF: LLVM AMDGPUUsage, llvm.amdgcn.av intrinsics; https://github.com/llvm/llvm-project/pull/191390
; One notch above property1-necessary: non-av release and acquire.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global <4 x i32> zeroinitializer
@flag = addrspace(1) global i32 0

define void @t0() {
  call void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1) @data, <4 x i32> splat (i32 1), metadata !"")
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %vector = call <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1) @data, metadata !"")
  %data = extractelement <4 x i32> %vector, i32 0
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1), <4 x i32>, metadata)
declare <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1), metadata)
