; work_group_barrier(CLK_LOCAL_MEM_FENCE): exchange through generic pointers
; REF: OpenCL C work_group_barrier
; REF: libclc, work_group_barrier for amdgcn; https://github.com/llvm/llvm-project/pull/185190
; A generic access may be local: it is ordered.
; THREADS: a=@kernel(i32 0) b=@kernel(i32 1)
; SCOPES: (agent (workgroup (wavefront a) (wavefront b)))
; PROFILE: amdgpu
; EXISTS: ~(a:%got = 2 /\ b:%got = 1)
; EXPECT: llvm=Never amdgpu=Never

@slots = global [2 x i32] zeroinitializer

define void @kernel(i32 %id) {
  %other = xor i32 %id, 1
  %mine = getelementptr [2 x i32], ptr @slots, i32 0, i32 %id
  %theirs = getelementptr [2 x i32], ptr @slots, i32 0, i32 %other
  %value = add i32 %id, 1
  store i32 %value, ptr %mine
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  %got = load i32, ptr %theirs
  ret void
}

declare void @llvm.amdgcn.s.barrier()
