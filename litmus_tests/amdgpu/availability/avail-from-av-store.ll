; Availability: an av store of workgroup scope is passed on by another thread's release
; REF: AMDGPU Memory Model, Availability Operation
; REF: LLVM AMDGPUUsage, llvm.amdgcn.av intrinsics; https://github.com/llvm/llvm-project/pull/191390
; An intermediate operation bridges the gap that the intrinsic's small scope leaves.
; SCOPES: (agent (workgroup t0 t1) (workgroup t2))
; EXISTS: t2:%second = 1 /\ ~(t2:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global <4 x i32> zeroinitializer
@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0

define void @t0() {
  call void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1) @data, <4 x i32> splat (i32 1), metadata !"workgroup")
  store atomic i32 1, ptr addrspace(1) @first syncscope("workgroup") release, align 4, !mmra !0
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr addrspace(1) @first syncscope("workgroup") acquire, align 4, !mmra !0
  %set = icmp eq i32 %first, 1
  br i1 %set, label %pass, label %done

pass:
  store atomic i32 1, ptr addrspace(1) @second syncscope("agent") release, align 4
  br label %done

done:
  ret void
}

define void @t2() {
  %second = load atomic i32, ptr addrspace(1) @second syncscope("agent") acquire, align 4
  %set = icmp eq i32 %second, 1
  br i1 %set, label %read, label %done

read:
  %vector = load <4 x i32>, ptr addrspace(1) @data
  %data = extractelement <4 x i32> %vector, i32 0
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1), <4 x i32>, metadata)

!0 = !{!"amdgcn-av", !"none"}
