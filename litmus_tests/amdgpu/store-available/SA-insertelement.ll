; store-available: a vector that is put together by insertelement, taken apart by extractelement
; REF: AMDGPU Memory Model, store-available
; REF: LLVM AMDGPUUsage, llvm.amdgcn.av intrinsics; https://github.com/llvm/llvm-project/pull/191390
; Every lane of the 128 bits is available; a lane that was not set stays 0.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%first = 1 /\ t1:%second = 0 /\ t1:%third = 3)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global <4 x i32> zeroinitializer
@flag = addrspace(1) global i32 0

define void @t0() {
  %low = insertelement <4 x i32> zeroinitializer, i32 1, i32 0
  %both = insertelement <4 x i32> %low, i32 3, i32 2
  call void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1) @data, <4 x i32> %both, metadata !"agent")
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %vector = load <4 x i32>, ptr addrspace(1) @data
  %first = extractelement <4 x i32> %vector, i32 0
  %second = extractelement <4 x i32> %vector, i32 1
  %third = extractelement <4 x i32> %vector, i32 2
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1), <4 x i32>, metadata)
