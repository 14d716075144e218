; work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device)
; REF: OpenCL C work_group_barrier
; REF: libclc, work_group_barrier for amdgcn; https://github.com/llvm/llvm-project/pull/185190
; The fences name the agent, which the workgroup is part of.
; THREADS: a=@kernel(i32 0) b=@kernel(i32 1)
; SCOPES: (agent (workgroup (wavefront a) (wavefront b)))
; PROFILE: amdgpu
; EXISTS: ~(a:%got = 2 /\ b:%got = 1)
; EXPECT: llvm=Never amdgpu=Never

@slots = addrspace(1) global [2 x i32] zeroinitializer

define void @kernel(i32 %id) {
  %other = xor i32 %id, 1
  %mine = getelementptr [2 x i32], ptr addrspace(1) @slots, i32 0, i32 %id
  %theirs = getelementptr [2 x i32], ptr addrspace(1) @slots, i32 0, i32 %other
  %value = add i32 %id, 1
  store i32 %value, ptr addrspace(1) %mine
  fence syncscope("agent") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("agent") acquire, !mmra !{!"amdgpu-synchronize-as", !"global"}
  %got = load i32, ptr addrspace(1) %theirs
  ret void
}

declare void @llvm.amdgcn.s.barrier()
