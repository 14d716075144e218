; atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, …, memory_scope_device) between work-groups
; REF: OpenCL C atomic_work_item_fence
; The fences name the agent.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("agent") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = atomicrmw xchg ptr addrspace(1) @flag, i32 0 syncscope("agent") monotonic, align 4
  fence syncscope("agent") acquire, !mmra !{!"amdgpu-synchronize-as", !"global"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
