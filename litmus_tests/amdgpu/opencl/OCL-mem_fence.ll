; mem_fence(CLK_LOCAL_MEM_FENCE) is an acq_rel fence of the work-group
; REF: OpenCL C 1.2 mem_fence
; It serves as release and as acquire.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global i32 0
@flag = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup") acq_rel, !mmra !{!"amdgpu-synchronize-as", !"local"}
  store atomic i32 1, ptr addrspace(3) @flag syncscope("workgroup") monotonic, align 4
  ret void
}

define void @t1() {
  %flag = atomicrmw xchg ptr addrspace(3) @flag, i32 0 syncscope("workgroup") monotonic, align 4
  fence syncscope("workgroup") acq_rel, !mmra !{!"amdgpu-synchronize-as", !"local"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(3) @data
  br label %done

done:
  ret void
}
