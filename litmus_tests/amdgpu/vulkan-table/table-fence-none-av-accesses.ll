; Vulkan table, row fence amdgcn-av:none: with store-available and load-visible accesses
; REF: AMDGPU Memory Model, The Vulkan Memory Model
; REF: SPIR-V specification, Memory Operands and Memory Semantics
; REF: LLVM AMDGPUUsage, llvm.amdgcn.av intrinsics; https://github.com/llvm/llvm-project/pull/191390
; What the opt-out is for: only the data that says so is propagated.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never

@data = addrspace(1) global <4 x i32> zeroinitializer
@flag = addrspace(1) global i32 0

define void @t0() {
  call void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1) @data, <4 x i32> splat (i32 1), metadata !"agent")
  fence syncscope("agent") release, !mmra !{!"amdgcn-av", !"none"}
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  fence syncscope("agent") acquire, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %vector = call <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1) @data, metadata !"agent")
  %data = extractelement <4 x i32> %vector, i32 0
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1), <4 x i32>, metadata)
declare <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1), metadata)
