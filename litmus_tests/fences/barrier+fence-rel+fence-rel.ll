; A barrier: a fence behind it that releases acquires nothing
; REF: AMDGPUUsage, Memory Model: execution barriers and fences
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: ~ t1:%x = 1
; EXPECT: llvm=Sometimes+race
; EXPECT: amdgpu=Sometimes+race
; EXPECT: amdgpu-2026=Sometimes+race

@x = addrspace(1) global i32 0
@y = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @x
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") release
  %x = load i32, ptr addrspace(1) @x
  ret void
}

declare void @llvm.amdgcn.s.barrier()
