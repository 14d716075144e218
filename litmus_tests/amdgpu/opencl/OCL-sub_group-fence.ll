; atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, …, memory_scope_sub_group) inside of a sub-group
; REF: OpenCL C atomic_work_item_fence
; The wavefront is the scope.
; SCOPES: (agent (workgroup (wavefront t0 t1)))
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global i32 0
@flag = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("wavefront") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  store atomic i32 1, ptr addrspace(3) @flag syncscope("wavefront") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = atomicrmw xchg ptr addrspace(3) @flag, i32 0 syncscope("wavefront") monotonic, align 4
  fence syncscope("wavefront") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(3) @data
  br label %done

done:
  ret void
}
