; Two workgroups meet: the other leader's acquire is non-av
; REF: AMDGPU Memory Model, Availability Operation
; REF: Release after a barrier; https://github.com/llvm/llvm-project/pull/160501
; Nobody in the reader's workgroup makes the data visible there: the barrier's fences reach no further than the
; workgroup.
; SCOPES: (agent (workgroup t0 t1) (workgroup t2 t3))
; EXISTS: t3:%passed = 1 /\ t3:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
@passed = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t2() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  store i32 %flag, ptr addrspace(3) @passed
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  ret void
}

define void @t3() {
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %passed = load i32, ptr addrspace(3) @passed
  %set = icmp eq i32 %passed, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.s.barrier()
