; A tensor load and a copy, each with marks of its own stage (gfx1250): both waits are for the stage of the copy
; INSPECT: async-not-awaited
target triple = "amdgcn-amd-amdhsa"

@tile = internal addrspace(3) global [1024 x i32] poison, align 16
@bias = internal addrspace(3) global [256 x <4 x i32>] poison, align 16

define amdgpu_kernel void @stages(ptr addrspace(1) %in, ptr addrspace(1) %out, <4 x i32> %d0, <8 x i32> %d1) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  call void @llvm.amdgcn.tensor.load.to.lds(<4 x i32> %d0, <8 x i32> %d1, <4 x i32> zeroinitializer, <4 x i32> zeroinitializer, i32 0)
  call void @llvm.amdgcn.asyncmark(i32 2046)
  %g = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %t
  %l = getelementptr <4 x i32>, ptr addrspace(3) @bias, i32 %t
  call void @llvm.amdgcn.global.load.async.to.lds.b128(ptr addrspace(1) %g, ptr addrspace(3) %l, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark(i32 2045)
  call void @llvm.amdgcn.wait.asyncmark(i16 0, i32 2045)
  call void @llvm.amdgcn.wait.asyncmark(i16 0, i32 2045)
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %swapped = xor i32 %t, 255
  %q = getelementptr <4 x i32>, ptr addrspace(3) @bias, i32 %swapped
  %x = load <4 x i32>, ptr addrspace(3) %q, align 16
  %p = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %y = load i32, ptr addrspace(3) %p, align 4
  %v = insertelement <4 x i32> %x, i32 %y, i32 0
  %to = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %t
  store <4 x i32> %v, ptr addrspace(1) %to, align 16
  ret void
}

declare void @llvm.amdgcn.asyncmark(i32 immarg)
declare void @llvm.amdgcn.global.load.async.to.lds.b128(ptr addrspace(1) readonly captures(none), ptr addrspace(3) writeonly captures(none), i32 immarg, i32 immarg)
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.tensor.load.to.lds(<4 x i32>, <8 x i32>, <4 x i32>, <4 x i32>, i32 immarg)
declare void @llvm.amdgcn.wait.asyncmark(i16 immarg, i32 immarg)
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx1250" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
