; A tile is copied to LDS asynchronously and read by other threads (Triton, gfx950): no mark stands behind the copy
; INSPECT: async-in-flight fence-orders-nothing
target triple = "amdgcn-amd-amdhsa"

@smem = internal addrspace(3) global [1024 x i32] poison, align 16

define amdgpu_kernel void @tile(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %t
  %wave = lshr i32 %t, 6
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %wave)
  %base = getelementptr [64 x <4 x i32>], ptr addrspace(3) @smem, i32 %first
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %from, ptr addrspace(3) %base, i32 16, i32 0, i32 0)
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %other = xor i32 %t, 64
  %q = getelementptr i32, ptr addrspace(3) @smem, i32 %other
  %x = load i32, ptr addrspace(3) %q, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %x, ptr addrspace(1) %to, align 4
  ret void
}

declare void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) readonly captures(none), ptr addrspace(3) writeonly captures(none), i32 immarg, i32 immarg, i32 immarg)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.wait.asyncmark(i16 immarg)
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
