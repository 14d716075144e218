; Results go through LDS and from there to global memory, twice (gfx1250): the first copy has no mark
; INSPECT: async-in-flight
target triple = "amdgcn-amd-amdhsa"

@smem = internal addrspace(3) global [256 x <4 x i32>] poison, align 16

define amdgpu_kernel void @epilogue(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %t
  %x0 = load <4 x i32>, ptr addrspace(1) %g, align 16
  %p = getelementptr <4 x i32>, ptr addrspace(3) @smem, i32 %t
  store <4 x i32> %x0, ptr addrspace(3) %p, align 16
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %swapped = xor i32 %t, 255
  %q = getelementptr <4 x i32>, ptr addrspace(3) @smem, i32 %swapped
  %to = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %t
  call void @llvm.amdgcn.global.store.async.from.lds.b128(ptr addrspace(1) %to, ptr addrspace(3) %q, i32 0, i32 0)
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  store <4 x i32> %x0, ptr addrspace(3) %p, align 16
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %to1 = getelementptr <4 x i32>, ptr addrspace(1) %to, i32 256
  call void @llvm.amdgcn.global.store.async.from.lds.b128(ptr addrspace(1) %to1, ptr addrspace(3) %q, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  ret void
}

declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.global.store.async.from.lds.b128(ptr addrspace(1) writeonly captures(none), ptr addrspace(3) readonly captures(none), i32 immarg, i32 immarg)
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.wait.asyncmark(i16 immarg)
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx1250" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
