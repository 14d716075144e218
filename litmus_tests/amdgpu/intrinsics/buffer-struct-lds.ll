; A copy from an element of a buffer to LDS: the stride is that of the descriptor
; REF: LLVM, AMDGPUUsage, buffer resources; AMDGPUDMAOperations.md
; SCOPES: (agent (workgroup t0))
; PROFILE: amdgpu
; EXISTS: ~(t0:%v = 4)
; EXPECT: llvm=Never
; EXPECT: amdgpu-2026=Never
@x = addrspace(1) global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@l = addrspace(3) global i32 undef
define void @t0() {
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) @x, i16 8, i64 2, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.load.lds(ptr addrspace(8) %r, ptr addrspace(3) @l, i32 4, i32 1, i32 4, i32 0, i32 0, i32 0)
  %v = load i32, ptr addrspace(3) @l
  ret void
}
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.load.lds(ptr addrspace(8), ptr addrspace(3), i32, i32, i32, i32, i32, i32)
