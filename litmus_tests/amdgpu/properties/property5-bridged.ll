; Property 5: store and load need not include each other if operations in between bridge the gap
; REF: AMDGPU Memory Model, Properties, 5
; REF: LLVM AMDGPUUsage, llvm.amdgcn.av intrinsics; https://github.com/llvm/llvm-project/pull/191390
; Both name their own workgroup. A release makes the write available on the agent, an acquire makes it visible
; there, two other threads do so; the rest is non-av.
; SCOPES: (agent (workgroup t0 t1) (workgroup t2 t3))
; EXISTS: t3:%third = 1 /\ ~(t3:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global <4 x i32> zeroinitializer
@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0
@third = addrspace(1) global i32 0

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
  br i1 %set, label %pass, label %done

pass:
  store atomic i32 1, ptr addrspace(1) @third syncscope("workgroup") release, align 4, !mmra !0
  br label %done

done:
  ret void
}

define void @t3() {
  %third = load atomic i32, ptr addrspace(1) @third syncscope("workgroup") acquire, align 4, !mmra !0
  %set = icmp eq i32 %third, 1
  br i1 %set, label %read, label %done

read:
  %vector = call <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1) @data, metadata !"workgroup")
  %data = extractelement <4 x i32> %vector, i32 0
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1), <4 x i32>, metadata)
declare <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1), metadata)

!0 = !{!"amdgcn-av", !"none"}
