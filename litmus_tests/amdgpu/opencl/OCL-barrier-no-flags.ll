; work_group_barrier(0): the threads meet, and no memory is synchronized
; REF: OpenCL C work_group_barrier
; REF: libclc, work_group_barrier for amdgcn; https://github.com/llvm/llvm-project/pull/185190
; Without flags there are no fences.
; THREADS: a=@kernel(i32 0) b=@kernel(i32 1)
; SCOPES: (agent (workgroup (wavefront a) (wavefront b)))
; PROFILE: amdgpu
; EXISTS: a:%got = undef /\ b:%got = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race

@slots = addrspace(3) global [2 x i32] zeroinitializer

define void @kernel(i32 %id) {
  %other = xor i32 %id, 1
  %mine = getelementptr [2 x i32], ptr addrspace(3) @slots, i32 0, i32 %id
  %theirs = getelementptr [2 x i32], ptr addrspace(3) @slots, i32 0, i32 %other
  %value = add i32 %id, 1
  store i32 %value, ptr addrspace(3) %mine
  call void @llvm.amdgcn.s.barrier()
  %got = load i32, ptr addrspace(3) %theirs
  ret void
}

declare void @llvm.amdgcn.s.barrier()
