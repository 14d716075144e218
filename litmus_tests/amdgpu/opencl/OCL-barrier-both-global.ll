; work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE): exchange through __global
; REF: OpenCL C work_group_barrier
; REF: libclc, work_group_barrier for amdgcn; https://github.com/llvm/llvm-project/pull/185190
; Both flags, both tags.
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
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %got = load i32, ptr addrspace(1) %theirs
  ret void
}

declare void @llvm.amdgcn.s.barrier()

!0 = !{!{!"amdgpu-synchronize-as", !"global"}, !{!"amdgpu-synchronize-as", !"local"}}
