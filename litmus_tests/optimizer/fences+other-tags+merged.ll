; What InstCombine should make of fences+other-tags.ll: one fence with the tags of both
; REF: LLVM MMRA document, Combining; https://github.com/llvm/llvm-project/pull/93939 (review: tests for MMRA preservation)
; The command "merge" finds this fence.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ ~(t1:%near = 1 /\ t1:%far = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
@near = addrspace(3) global i32 0
@far = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @near
  store i32 1, ptr addrspace(1) @far
  fence syncscope("workgroup") release, !mmra !{!{!"amdgpu-synchronize-as", !"global"}, !{!"amdgpu-synchronize-as", !"local"}}
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup") monotonic, align 4
  fence syncscope("workgroup") acquire
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %near = load i32, ptr addrspace(3) @near
  %far = load i32, ptr addrspace(1) @far
  br label %done

done:
  ret void
}
