; work_group_barrier(CLK_LOCAL_MEM_FENCE): exchange through __global
; REF: OpenCL C work_group_barrier
; REF: libclc, work_group_barrier for amdgcn; https://github.com/llvm/llvm-project/pull/185190
; The flag does not cover the memory: both threads read undef.
; THREADS: a=@kernel(i32 0) b=@kernel(i32 1)
; SCOPES: (agent (workgroup (wavefront a) (wavefront b)))
; PROFILE: amdgpu
; EXISTS: a:%got = undef /\ b:%got = undef
; EXPECT: llvm=Always+race amdgpu=Always+race
; EXPECT: llvm@generic=Never amdgpu@generic=Never

@slots = addrspace(1) global [2 x i32] zeroinitializer

define void @kernel(i32 %id) {
  %other = xor i32 %id, 1
  %mine = getelementptr [2 x i32], ptr addrspace(1) @slots, i32 0, i32 %id
  %theirs = getelementptr [2 x i32], ptr addrspace(1) @slots, i32 0, i32 %other
  %value = add i32 %id, 1
  store i32 %value, ptr addrspace(1) %mine
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  %got = load i32, ptr addrspace(1) %theirs
  ret void
}

declare void @llvm.amdgcn.s.barrier()
