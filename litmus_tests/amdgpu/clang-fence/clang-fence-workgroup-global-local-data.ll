; __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "global"): data in local memory
; REF: clang __builtin_amdgcn_fence
; REF: LLVM AMDGPUUsage, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; The fence does not wait for local stores.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race
; EXPECT: llvm@generic=Never amdgpu@generic=Never

@data = addrspace(3) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup") monotonic, align 4
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"global"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(3) @data
  br label %done

done:
  ret void
}
