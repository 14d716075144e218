; A barrier: an acquire load behind it is no acquire fence
; REF: AMDGPUUsage, Memory Model: execution barriers and fences
; Fences synchronize through a barrier, atomic accesses through what is read.
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
  %y = load atomic i32, ptr addrspace(1) @y syncscope("workgroup") acquire, align 4
  %x = load i32, ptr addrspace(1) @x
  ret void
}

declare void @llvm.amdgcn.s.barrier()
