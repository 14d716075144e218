; A block is reversed through LDS (clang, HIP): the barrier and its fences are missing
; INSPECT: local-memory-race
target triple = "amdgcn-amd-amdhsa"

@tile = internal addrspace(3) global [256 x i32] poison, align 16

define amdgpu_kernel void @reverse(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %x = load i32, ptr addrspace(1) %g, align 4
  %l = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %x, ptr addrspace(3) %l, align 4
  %other = sub i32 255, %t
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %other
  %y = load i32, ptr addrspace(3) %q, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %y, ptr addrspace(1) %to, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx942" }

!0 = !{!"amdgpu-synchronize-as", !"local"}
