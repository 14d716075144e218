; atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, …, memory_scope_device) between work-groups
; REF: OpenCL C atomic_work_item_fence
; The scope is wide enough, but the flag does not cover the data.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: llvm@generic=Never amdgpu@generic=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("agent") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = atomicrmw xchg ptr addrspace(1) @flag, i32 0 syncscope("agent") monotonic, align 4
  fence syncscope("agent") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
