; A barrier for local memory does not hand on global data
; REF: AMDGPU Memory Model, Availability Operation
; REF: Release after a barrier; https://github.com/llvm/llvm-project/pull/160501
; REF: LLVM AMDGPUUsage, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; Under the profile amdgpu the store is not ordered with fences tagged local; untagged, it is.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)) (workgroup (wavefront t2)))
; PROFILE: amdgpu
; EXISTS: t2:%flag = 1 /\ t2:%data = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: llvm@generic=Never amdgpu@generic=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t2() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.s.barrier()
