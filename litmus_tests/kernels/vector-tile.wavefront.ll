; Four floats are written at once and read one by one (IREE): the fences are of scope wavefront
; INSPECT: local-memory-unordered
target triple = "amdgcn-amd-amdhsa"

@tile = internal addrspace(3) global [1024 x float] poison, align 16

define amdgpu_kernel void @vectors(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr <4 x float>, ptr addrspace(1) %in, i32 %t
  %x = load <4 x float>, ptr addrspace(1) %from, align 16
  %p = getelementptr <4 x float>, ptr addrspace(3) @tile, i32 %t
  store <4 x float> %x, ptr addrspace(3) %p, align 16
  fence syncscope("wavefront") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("wavefront") acquire, !mmra !0
  %swapped = xor i32 %t, 255
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %swapped
  %y = load float, ptr addrspace(3) %q, align 4
  %to = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %y, ptr addrspace(1) %to, align 4
  ret void
}

declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
