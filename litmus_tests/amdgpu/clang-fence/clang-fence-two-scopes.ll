; Two calls with two scopes: local memory for the workgroup, global memory for the agent
; REF: clang __builtin_amdgcn_fence
; REF: LLVM AMDGPUUsage, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; A reader in another workgroup gets the global value, one in the own workgroup the local one.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)) (workgroup (wavefront t2)))
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ ~(t1:%near = 1) \/ t2:%flag = 1 /\ ~(t2:%far = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@near = addrspace(3) global i32 0
@far = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @near
  store i32 1, ptr addrspace(1) @far
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  fence syncscope("agent") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %near = load i32, ptr addrspace(3) @near
  br label %done

done:
  ret void
}

define void @t2() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  fence syncscope("agent") acquire, !mmra !{!"amdgpu-synchronize-as", !"global"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %far = load i32, ptr addrspace(1) @far
  br label %done

done:
  ret void
}
