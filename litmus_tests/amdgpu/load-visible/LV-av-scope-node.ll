; load-visible: the scope operand may be a metadata node
; REF: AMDGPU Memory Model, load-visible
; REF: LLVM AMDGPUUsage, llvm.amdgcn.av intrinsics; https://github.com/llvm/llvm-project/pull/191390
; The node holds the string; the scope is agent.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global <4 x i32> zeroinitializer
@flag = addrspace(1) global i32 0

define void @t0() {
  store <4 x i32> splat (i32 1), ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %vector = call <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1) @data, metadata !0)
  %data = extractelement <4 x i32> %vector, i32 0
  br label %done

done:
  ret void
}

declare <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1), metadata)

!0 = !{!"agent"}
