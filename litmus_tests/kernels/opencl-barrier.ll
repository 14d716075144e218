; The barrier of OpenCL, as clang leaves it to a library
; INSPECT: none
target triple = "amdgcn-amd-amdhsa"

@l = internal addrspace(3) global [256 x i32] poison, align 16

declare void @_Z18work_group_barrierj(i32) convergent nounwind

define amdgpu_kernel void @opencl(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %x = load i32, ptr addrspace(1) %from, align 4
  %p = getelementptr i32, ptr addrspace(3) @l, i32 %t
  store i32 %x, ptr addrspace(3) %p, align 4
  call void @_Z18work_group_barrierj(i32 1) convergent nounwind
  %swapped = xor i32 %t, 255
  %q = getelementptr i32, ptr addrspace(3) @l, i32 %swapped
  %y = load i32, ptr addrspace(3) %q, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %y, ptr addrspace(1) %to, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }
