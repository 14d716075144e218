; Local data handed on through a global flag
; REF: AMDGPU Memory Model, Availability Operation
; REF: Release after a barrier; https://github.com/llvm/llvm-project/pull/160501
; REF: LLVM AMDGPUUsage, amdgpu-synchronize-as; https://github.com/llvm/llvm-project/pull/78572
; The other side of grid-lds-barrier; the third thread only looks at the flag.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)) (workgroup (wavefront t2)))
; PROFILE: amdgpu
; EXISTS: t2:%flag = 1 /\ ~(t2:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@near = addrspace(3) global i32 0
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @near
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  %near = load i32, ptr addrspace(3) @near
  store i32 %near, ptr addrspace(1) @data
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
