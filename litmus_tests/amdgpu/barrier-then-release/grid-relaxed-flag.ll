; A wide barrier and then a monotonic store of the flag
; REF: AMDGPU Memory Model, Availability Operation
; REF: Release after a barrier; https://github.com/llvm/llvm-project/pull/160501
; The barrier's release fence of the second thread comes before it meets the first one: that store publishes its own
; past only.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)) (workgroup (wavefront t2)))
; EXISTS: t2:%flag = 1 /\ t2:%data = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("agent") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("agent") acquire
  ret void
}

define void @t1() {
  fence syncscope("agent") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("agent") acquire
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  ret void
}

define void @t2() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") monotonic, align 4
  fence syncscope("agent") acquire
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.s.barrier()
