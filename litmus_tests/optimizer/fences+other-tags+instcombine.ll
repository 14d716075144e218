; What InstCombine makes of fences+other-tags.ll: the fence for LDS is gone, and with it the order of the store to it
; REF: LLVM MMRA document, Combining; https://github.com/llvm/llvm-project/pull/93939 (review: tests for MMRA preservation)
; Merging is to combine the tags (the union by prefix), or to drop them all; keeping one set of them loses order.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ ~(t1:%near = 1 /\ t1:%far = 1)
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race
@near = addrspace(3) global i32 0
@far = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @near
  store i32 1, ptr addrspace(1) @far
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
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
