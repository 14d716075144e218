; Split barrier: work on other data overlaps with waiting
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier.signal and llvm.amdgcn.s.barrier.wait
; The store of the second buffer stands between signal and wait, and is read after the next barrier.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: ~(t1:%data = 1 /\ t1:%next = 2)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global i32 0
@next = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  store i32 2, ptr addrspace(3) @next
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  fence syncscope("workgroup") acquire
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  fence syncscope("workgroup") acquire
  %data = load i32, ptr addrspace(3) @data
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %next = load i32, ptr addrspace(3) @next
  ret void
}

declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
