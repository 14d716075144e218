; Barriers of different workgroups have nothing to do with each other
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; Each workgroup meets on its own: global data is not published, however wide the fences.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; EXISTS: t1:%data = undef
; EXPECT: llvm=Always+race amdgpu=Always+race

@data = addrspace(1) global i32 0

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
  %data = load i32, ptr addrspace(1) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()
