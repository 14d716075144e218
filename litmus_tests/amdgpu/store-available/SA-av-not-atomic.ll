; store-available: the intrinsics are not atomic, and race
; REF: AMDGPU Memory Model, store-available
; REF: LLVM AMDGPUUsage, llvm.amdgcn.av intrinsics; https://github.com/llvm/llvm-project/pull/191390
; Without synchronization the load may see the initial value and the store, and not both are atomic.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@data = addrspace(1) global <4 x i32> zeroinitializer

define void @t0() {
  call void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1) @data, <4 x i32> splat (i32 1), metadata !"agent")
  ret void
}

define void @t1() {
  %vector = call <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1) @data, metadata !"agent")
  %data = extractelement <4 x i32> %vector, i32 0
  ret void
}

declare void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1), <4 x i32>, metadata)
declare <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1), metadata)
