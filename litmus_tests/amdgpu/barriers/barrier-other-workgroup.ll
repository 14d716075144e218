; Threads of different workgroups may execute different numbers of barriers
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; A barrier belongs to its workgroup.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: ~(t0:%data = 0)
; EXPECT: llvm=Never amdgpu=Never

@data = addrspace(1) global i32 0

define void @t0() {
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %data = load i32, ptr addrspace(1) @data
  ret void
}

define void @t1() {
  %data = load i32, ptr addrspace(1) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()
