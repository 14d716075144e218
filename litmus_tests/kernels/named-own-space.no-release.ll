; A producer hands a tile over at a named barrier in the address space of barriers (gfx1250, LLVM 23): the release fence is missing
; INSPECT: local-memory-unordered
target triple = "amdgpu12.50-amd-amdhsa"

@bar = internal addrspace(15) global target("amdgcn.named.barrier", 0) poison
@tile = internal addrspace(3) global [64 x i32] poison

define amdgpu_kernel void @hand(ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(15) @bar, i32 2)
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(15) @bar)
  call void @llvm.amdgcn.s.barrier()
  %produces = icmp ult i32 %t, 32
  br i1 %produces, label %producer, label %consumer

producer:
  %own = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %t, ptr addrspace(3) %own
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(15) @bar, i32 2)
  ret void

consumer:
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(15) @bar, i32 2)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  fence syncscope("workgroup") acquire
  %from = sub i32 63, %t
  %other = getelementptr i32, ptr addrspace(3) @tile, i32 %from
  %v = load i32, ptr addrspace(3) %other
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.wait(i16)
declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(15), i32)
declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(15))
declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(15), i32)
