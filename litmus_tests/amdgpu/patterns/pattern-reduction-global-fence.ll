; A reduction through local memory with fences of global memory
; REF: OpenCL C work_group_reduce_add
; REF: https://github.com/llvm/llvm-project/issues/163615
; The wrong address space.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1) (wavefront t2)))
; PROFILE: amdgpu
; EXISTS: @sum = undef
; EXPECT: llvm=Always+race amdgpu=Always+race amdgpu-2026=Always+race
; EXPECT: llvm@generic=Never amdgpu@generic=Never

@part = addrspace(3) global [3 x i32] undef
@sum = addrspace(1) global i32 0

define void @t0() {
  %slot1 = getelementptr [3 x i32], ptr addrspace(3) @part, i32 0, i32 1
  %slot2 = getelementptr [3 x i32], ptr addrspace(3) @part, i32 0, i32 2
  store i32 1, ptr addrspace(3) @part
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"global"}
  %one = load i32, ptr addrspace(3) @part
  %two = load i32, ptr addrspace(3) %slot1
  %three = load i32, ptr addrspace(3) %slot2
  %some = add i32 %one, %two
  %all = add i32 %some, %three
  store i32 %all, ptr addrspace(1) @sum
  ret void
}

define void @t1() {
  %slot1 = getelementptr [3 x i32], ptr addrspace(3) @part, i32 0, i32 1
  store i32 2, ptr addrspace(3) %slot1
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"global"}
  ret void
}

define void @t2() {
  %slot2 = getelementptr [3 x i32], ptr addrspace(3) @part, i32 0, i32 2
  store i32 3, ptr addrspace(3) %slot2
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"global"}
  ret void
}

declare void @llvm.amdgcn.s.barrier()
