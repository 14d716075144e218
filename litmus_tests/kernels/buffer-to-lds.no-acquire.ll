; A buffer load that writes to LDS, which the compiler waits for (CK): the acquire fence is missing
; INSPECT: local-memory-unordered unpaired-fence
target triple = "amdgcn-amd-amdhsa"

@smem = internal addrspace(3) global [64 x i32] poison, align 16

define amdgpu_kernel void @buffer(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %rsrc = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 1024, i32 159744)
  %at = shl i32 %t, 2
  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %rsrc, ptr addrspace(3) @smem, i32 4, i32 %at, i32 0, i32 0, i32 0)
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  %swapped = xor i32 %t, 63
  %q = getelementptr i32, ptr addrspace(3) @smem, i32 %swapped
  %x = load i32, ptr addrspace(3) %q, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %x, ptr addrspace(1) %to, align 4
  ret void
}

declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) readnone, i16, i64, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) readonly captures(none), ptr addrspace(3) writeonly captures(none), i32 immarg, i32, i32, i32 immarg, i32 immarg)
declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" "target-cpu"="gfx950" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
